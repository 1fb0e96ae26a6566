"""Bandwidth in bins, worked out by hand on a table of a few packets."""

import numpy as np
import pytest
import xarray as xr

from simcore import Scenario, simulate
from simcore.metrics import bandwidth_kbps


def table(kind: str, arrived: list[float], numbers: list[int]) -> xr.Dataset:
    """A run of 1 s with packets of 1000 bytes of one flow."""
    columns = {"arrived_s": arrived, "seq": numbers, "flow": [1] * len(numbers), "bytes": [1000] * len(numbers)}
    ds = xr.Dataset({f"packet_{name}": ("packet", values) for name, values in columns.items()}, {"flow": [1]})
    return ds.assign(flow_kind=("flow", [kind])).assign_attrs(scenario="{end_s: 1.0}")


def test_udp_counts_in_the_bin_in_which_it_arrives() -> None:
    found = bandwidth_kbps(table("udp", [0.1, 0.24, 0.25, 0.9], [0, 1, 2, 3]), 1, 0.25)
    assert found.values.tolist() == [64.0, 32.0, 0.0, 32.0]
    assert found["time_s"].values.tolist() == [0, 0.25, 0.5, 0.75]


def test_tcp_counts_when_all_before_it_is_there_and_once() -> None:
    """Segment 1 is lost and comes again at 0.6 s, when 2 and 3 have been waiting for it; 3 comes twice."""
    found = bandwidth_kbps(table("tcp", [0.1, 0.2, 0.3, 0.6, 0.9, np.nan], [0, 2, 3, 1, 3, 4]), 1, 0.25)
    assert found.values.tolist() == [32.0, 0.0, 96.0, 0.0]


def test_a_last_bin_cut_short_is_left_out() -> None:
    assert bandwidth_kbps(table("udp", [0.1, 0.95], [0, 1]), 1, 0.3).size == 3


def test_over_a_whole_run_the_bins_hold_what_was_received() -> None:
    flow = {"kind": "udp", "source": "cbr", "packet_bytes": 500, "rate_mbps": 1, "start_s": 0.5, "stop_s": 3}
    link = {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20}
    ds = simulate(Scenario.model_validate({"profile": "ns-2.35", "end_s": 4, "bottleneck": link, "flows": [flow]}))
    found = bandwidth_kbps(ds, 1, 0.1)
    assert float(found.sum()) * 0.1 == pytest.approx(8e-3 * int(ds["received_bytes"].sum()))
    assert float(found.max()) == pytest.approx(1000, rel=0.05)
