"""The invariants of senders accuse nobody who does what ns-2 does, and still find who breaks them."""

from typing import Any

import numpy as np
import pytest
import xarray as xr

from simcore import Scenario, scenario_from, simulate
from simcore.results.invariants import SENDER_INVARIANTS, never_closes_its_window, respects_the_receivers_window


def run(
    link: dict[str, Any], end_s: float = 20.0, initial_rto_s: float = 3.0, **flow: Any
) -> tuple[xr.Dataset, Scenario]:
    """One sender's run, on the compiled engine."""
    bottleneck = {"rate_mbps": 1, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20} | link
    sender = {
        "kind": "tcp",
        "variant": "reno",
        "packet_bytes": 1000,
        "window_packets": 20,
        "start_s": 0,
        "stop_s": end_s,
    }
    profile = {"profile": "ns-2.35", "initial_rto_s": initial_rto_s, "end_s": end_s}
    scenario = scenario_from(profile | {"bottleneck": bottleneck, "flows": [sender | flow]})
    return simulate(scenario, "compiled"), scenario


NARROW_WAY_BACK = {"back": {"rate_mbps": 0.03, "delay_ms": 10, "buffer_packets": 2}}
LONG_WAY = {"rate_mbps": 0.1, "delay_ms": 3000, "buffer_packets": 5}


def test_a_lost_ack_is_not_heard() -> None:
    dataset, scenario = run(NARROW_WAY_BACK)
    assert int(np.isnan(dataset["ack_arrived_s"]).sum()) > 10
    for obey in SENDER_INVARIANTS:
        obey(dataset, scenario)


def test_who_sends_more_than_the_window_by_the_acks_that_came_is_found() -> None:
    dataset, scenario = run(NARROW_WAY_BACK)
    scenario = scenario.model_copy(update={"flows": (scenario.flows[0].model_copy(update={"window_packets": 19}),)})
    with pytest.raises(AssertionError, match="flow 1 sent more than the receiver's window"):
        respects_the_receivers_window(dataset, scenario)


def vegas_on_a_long_way() -> tuple[xr.Dataset, Scenario]:
    return run(LONG_WAY, 60.0, initial_rto_s=1.0, variant="vegas", window_packets=8, loss_probability=0.2)


def test_vegas_waits_with_a_closed_window_after_a_timeout_as_in_ns_2() -> None:
    dataset, scenario = vegas_on_a_long_way()
    assert float(dataset["update_cwnd"].min()) == 0.0
    never_closes_its_window(dataset, scenario)


def test_vegas_may_not_do_so_before_its_first_timeout_and_others_never() -> None:
    dataset, scenario = vegas_on_a_long_way()
    for innocent, variant in ((dataset.isel(update=slice(1)), "vegas"), (dataset, "reno")):
        guilty = innocent.copy(deep=True)
        guilty["update_cwnd"][0] = 0.0
        flow = scenario.flows[0].model_copy(update={"variant": variant})
        with pytest.raises(AssertionError, match="fell below one packet"):
            never_closes_its_window(guilty, scenario.model_copy(update={"flows": (flow,)}))
