"""tshark on random scenarios: it counts what the run says of itself.

Its words are not all ours. What a sender repeats it calls a retransmission, or out of order where the highest segment
so far was seen less than a round trip (of the handshake) before and no duplicate ACKs asked for it: from the outside
that is what overtaking looks like. Together they are the segments that were sent again. Its fast retransmissions are
those within 20 ms of the third duplicate ACK, which tells nothing of a sender in recovery: they are not compared.
"""

import random
import shutil
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from simcore import simulate
from tests.simcore.scenes import bottleneck, scene, tcp_flow
from tests.workbook.export.many import analysed

pytestmark = pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
VARIANTS = ("tahoe", "reno", "newreno", "sack", "cubic", "vegas")
SCENARIOS = 8


def some_run(dice: random.Random) -> xr.Dataset:
    """Two seconds of one to three TCP flows."""
    flows = [
        tcp_flow(
            variant=dice.choice(VARIANTS), packet_bytes=dice.choice([200, 500, 1000, 1460]), stop_s=2,
            window_packets=dice.randint(4, 40), start_s=dice.uniform(0, 0.2),
        )
        for _ in range(dice.randint(1, 3))
    ]  # fmt: skip
    link = bottleneck(
        rate_mbps=dice.uniform(0.3, 3), delay_ms=dice.uniform(1, 60), buffer_packets=dice.randint(2, 25)
    )  # fmt: skip
    return simulate(scene(*flows, bottleneck=link, profile=dice.choice(["ns-2.27", "ns-2.35", "rfc"]), end_s=2))


def duplicate_acks(ds: xr.Dataset, flow: int) -> int:
    """ACKs that say what the one before said, as they come to the sender."""
    came = (ds["ack_flow"].values == flow) & ~np.isnan(ds["ack_arrived_s"].values)
    return int((np.diff(ds["ack_number"].values[came]) == 0).sum())


def test_it_counts_what_was_sent_again_and_acknowledged_twice(tmp_path: Path) -> None:
    dice = random.Random(1996)
    runs = [some_run(dice) for _ in range(SCENARIOS)]
    theirs, again = analysed(runs, tmp_path), 0
    for number, ds in enumerate(runs):
        for flow in map(int, ds["flow"].values):
            found, own = theirs[number, flow], ds.sel(flow=flow)
            assert found["retransmission"] + found["out_of_order"] == own["retransmitted"].item()
            assert found["duplicate_ack"] == duplicate_acks(ds, flow)
            assert found["sent"] == own["sent"].item()
            again += own["retransmitted"].item()
    assert again > 50
