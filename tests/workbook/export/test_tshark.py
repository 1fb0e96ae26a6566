"""tshark on every chapter's cases and on random scenarios: it counts what the run says of itself.

Equal to the run's own numbers are the packets of each connection, their bytes, its duration, what was sent again, and
duplicate ACKs. How a repeated segment came about a capture doesn't tell, and tshark guesses, by design:

- a *fast retransmission* answers two or more duplicate ACKs within 20 ms with the segment that they ask for. A sender
  does so at the third, so that its fast retransmits are among them; Vegas does so earlier. What else fits the words is
  what a timer, or recovery, happens to send then;
- it is *out of order* where the highest segment so far was seen less than a round trip before (that of the handshake; 3
  ms without one): from the outside, overtaking looks like that. In these runs nothing overtakes at a sender.

Both rules are said again below, over the run's own tables; tshark must count what they count.
"""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from simcore import Scenario, simulate
from simcore.scenario.flows import TcpFlow
from tests.simcore.scenes import bottleneck, scene, tcp_flow
from tests.workbook.export.many import Found, analysed
from workbook.chapters.chapter import Chapter
from workbook.paths import REPO

pytestmark = [pytest.mark.system, pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")]
VARIANTS = ("tahoe", "reno", "newreno", "sack", "cubic", "vegas")
SCENARIOS = 100
RUN_S = 1.5  # of each
PACKETS = 300  # of a chapter's case: so many pass the bottleneck, or what a second brings
FAST_S, GUESS_S = 0.02, 0.003  # tshark's constants (packet-tcp.c of Wireshark 4.0)
ETHERNET_BYTES = 14


def random_run(dice: random.Random) -> xr.Dataset:
    """A second and a half of one to three TCP flows."""
    flows = [
        tcp_flow(
            variant=dice.choice(VARIANTS), packet_bytes=dice.choice([200, 500, 1000, 1460]), stop_s=RUN_S,
            window_packets=dice.randint(4, 40), start_s=dice.uniform(0, 0.2),
        )
        for _ in range(dice.randint(1, 3))
    ]  # fmt: skip
    link = bottleneck(
        rate_mbps=dice.uniform(0.3, 3), delay_ms=dice.uniform(1, 60), buffer_packets=dice.randint(2, 25)
    )  # fmt: skip
    return simulate(
        scene(*flows, bottleneck=link, profile=dice.choice(["ns-2.27", "ns-2.35", "rfc"]), end_s=RUN_S), "compiled"
    )


def cases() -> Iterator[Scenario]:
    """The beginning of every case of packets with a TCP flow, of every chapter."""
    for path in sorted(REPO.params.glob("*.yaml")):
        chapter = Chapter.load(path)
        scenarios = [chapter.scenario(case) for case in chapter.cases if chapter.model == "packets"]
        yield from (beginning(each) for each in scenarios if any(isinstance(flow, TcpFlow) for flow in each.flows))


def beginning(scenario: Scenario) -> Scenario:
    first = min(flow.start_s for flow in scenario.flows if isinstance(flow, TcpFlow))
    bits = 8 * max(flow.packet_bytes for flow in scenario.flows)
    end_s = min(scenario.end_s, first + max(1.0, PACKETS * bits / (1e6 * scenario.bottleneck.rate_mbps)))
    flows = tuple(flow for flow in scenario.flows if flow.start_s < end_s and isinstance(flow, TcpFlow))
    return scenario.model_copy(update={"end_s": end_s, "flows": flows})


def at_sender(ds: xr.Dataset, flow: int) -> list[tuple[float, int, bool, int]]:
    """What its sender sends and gets: time, uid, whether it is an ACK, number."""
    seen = []
    for table, time, number in (("packet", "sent_s", "seq"), ("ack", "arrived_s", "number")):
        own = (ds[f"{table}_flow"].values == flow) & ~np.isnan(ds[f"{table}_{time}"].values)
        columns = (ds[f"{table}_{name}"].values[own].tolist() for name in (time, "uid", number))
        seen += [(at, uid, table == "ack", said) for at, uid, said in zip(*columns, strict=True)]
    return sorted(seen)


def guesses(ds: xr.Dataset, flow: int, threshold_s: float) -> Found:
    """What tshark's rules make of a run's duplicate ACKs and repeated segments."""
    found: dict[str, int] = dict.fromkeys(("duplicate_ack", "fast_retransmission", "out_of_order"), 0)
    acked = highest = -1
    acked_s = highest_s = 0.0
    duplicates = 0
    for at, _, is_ack, number in at_sender(ds, flow):
        if is_ack:
            duplicates = duplicates + 1 if number == acked else 0
            found["duplicate_ack"] += duplicates > 0
            acked, acked_s = number, at
        elif number > highest:
            highest, highest_s = number, at
        elif duplicates >= 2 and number == acked + 1 and at - acked_s < FAST_S:
            found["fast_retransmission"] += 1
        elif number < highest and at - highest_s < threshold_s:
            found["out_of_order"] += 1
    return dict(found)


def conversation(ds: xr.Dataset, flow: int) -> Found:
    """The row of tshark's table of conversations, as far as it is exact there."""
    times = [at for at, *_ in at_sender(ds, flow)]
    sent, came = (ds[f"{table}_bytes"].values[ds[f"{table}_flow"].values == flow] for table in ("packet", "ack"))
    back = came[~np.isnan(ds["ack_arrived_s"].values[ds["ack_flow"].values == flow])]
    return {
        "there": str(sent.size), "back": str(back.size), "all": str(sent.size + back.size),
        "seconds": f"{times[-1] - times[0]:.4f}",
    }  # fmt: skip


def test_it_counts_what_was_sent_again_and_acknowledged_twice(tmp_path: Path) -> None:
    dice = random.Random(1996)
    chapters = [simulate(scenario, "compiled") for scenario in cases()]
    runs = [*chapters, *(random_run(dice) for _ in range(SCENARIOS))]
    theirs, again, fast = analysed(runs, tmp_path), 0, 0
    for number, ds in enumerate(runs):
        for flow in map(int, ds["flow"].values):
            found, own, name = theirs[number, flow], ds.sel(flow=flow), f"{number} {ds.attrs['scenario']}, flow {flow}"
            guessed, row = guesses(ds, flow, float(found["handshake_s"]) or GUESS_S), conversation(ds, flow)
            assert {each: found[each] for each in guessed} == guessed, name
            assert found["retransmission"] + found["out_of_order"] == own["retransmitted"].item(), name
            assert {each: found[each] for each in row} == row, name
            if "Vegas" not in own["flow_name"].item():
                assert found["fast_retransmission"] >= own["fast_retransmits"].item(), name
            again, fast = again + own["retransmitted"].item(), fast + own["fast_retransmits"].item()
    assert min(again, fast) > 50
