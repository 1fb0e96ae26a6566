"""What ACKs say beyond their numbers: made again from what arrived, it is what the receivers of the run said."""

from collections.abc import Generator

import numpy as np
import pytest
from simpy.events import Event

from simcore import load_scenario, simulate
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.rules.headers.ecn_bits import ECHO, REDUCED
from tests.goldens import GOLDEN
from workbook.export.answers import Answer, answers, reductions

ECN = ["ecn-2-reno-tahoe", "ecn-3-delayed", "ecn-4-variants", "ecn-8-small-windows"]
SACK = ["jitter-3-sack", "jitter-4-variants"]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[int, Packet]:
    """All packets of a run of the process model by uid, as senders and receivers put them into their ports."""
    packets: dict[int, Packet] = {}
    put = Port.put

    def seen(self: Port, packet: Packet) -> Generator[Event, None, None]:
        packets.setdefault(packet.uid, packet)
        return put(self, packet)

    monkeypatch.setattr(Port, "put", seen)
    return packets


@pytest.mark.parametrize("golden", ECN + SACK)
def test_acks_say_what_the_receivers_said(golden: str, made: dict[int, Packet]) -> None:
    scenario = load_scenario(GOLDEN / "senders" / f"{golden}.yaml")
    ds = simulate(scenario.model_copy(update={"end_s": 6.0}))
    assert len(made) == ds.sizes["packet"] + ds.sizes["ack"]
    said: dict[int, Answer] = {}
    cuts: set[int] = set()
    for flow in map(int, ds["flow"].values):
        said |= answers(ds, flow)
        cuts |= reductions(ds, flow)
    for row, uid in enumerate(ds["ack_uid"].values.tolist()):
        header = made[uid].header
        sack = header.said.get("sack")
        blocks = np.reshape(sack.blocks[: 2 * sack.count] if sack else [], (-1, 2)).astype(int).tolist()
        assert said.get(row, Answer()) == Answer(tuple(map(tuple, blocks)), header.flags == ECHO), row
    assert any(answer.echoes if golden in ECN else answer.blocks for answer in said.values())
    assert cuts == {row for row, uid in enumerate(ds["packet_uid"].values.tolist()) if made[uid].header.flags & REDUCED}
