"""Trials that a student's own congestion control must pass: the invariants of all senders, and two more."""

from collections.abc import Iterator
from itertools import product

import pandas as pd
import xarray as xr

from simcore import Scenario, metrics, scenario_from, simulate
from simcore.results.invariants import SENDER_INVARIANTS
from workbook.progress import progress

RATES_MBPS, DELAYS_MS, BUFFERS = (0.5, 2.0), (1.0, 20.0), (2, 8, 30)
RUN_S = 3.0
COUNTS = ("received", "dropped", "fast_retransmits", "timeouts")
SMALLEST = 2.0  # packets: a window of two or less has nothing to give


def obeys(variant: str) -> pd.DataFrame:
    """Run a variant on a dozen small networks, beside a Reno flow.

    Parameters
    ----------
    variant : str
        A registered variant of TCP.

    Returns
    -------
    pandas.DataFrame
        What became of it on each network: COUNTS, in packets and events.

    Raises
    ------
    AssertionError
        If it broke an invariant: which, and on what network.
    """
    counts = {scenario.name: _tried(variant, scenario) for scenario in progress(list(_networks(variant)), "networks")}
    return pd.DataFrame.from_dict(counts, orient="index", columns=COUNTS).rename_axis("network")


def _tried(variant: str, scenario: Scenario) -> list[int]:
    dataset = simulate(scenario)
    try:
        for invariant in SENDER_INVARIANTS:
            invariant(dataset, scenario)
        _gives_way(dataset)
        _gets_something_through(dataset)
    except AssertionError as broken:
        raise AssertionError(f"{variant!r} on {scenario.name}: {broken}") from None
    return [int(dataset[name].sel(flow=1)) for name in COUNTS]


def _networks(variant: str) -> Iterator[Scenario]:
    flow = {"kind": "tcp", "packet_bytes": 1000, "window_packets": 60, "stop_s": RUN_S}
    for rate, delay, buffer in product(RATES_MBPS, DELAYS_MS, BUFFERS):
        yield scenario_from(
            {
                "name": f"{rate:g} Mb/s, {delay:g} ms, {buffer} packets of buffer",
                "profile": "ns-2.35",
                "end_s": RUN_S,
                "bottleneck": {"rate_mbps": rate, "delay_ms": delay, "queue": "droptail", "buffer_packets": buffer},
                "flows": [flow | {"variant": variant, "start_s": 0.1}, flow | {"variant": "reno", "start_s": 0.3}],
            }
        )


def _gives_way(dataset: xr.Dataset) -> None:
    """A loss makes the window smaller: that is what congestion control means."""
    steps = metrics.window(dataset, 1)
    cwnd, causes = steps["cwnd"].values, steps["cause"].values
    for before, after, cause in zip(cwnd, cwnd[1:], causes[1:], strict=False):
        if cause in ("fast_retransmit", "timeout") and before > SMALLEST:
            assert after < before, f"cwnd did not fall at a {cause}, from {before:g} packets"


def _gets_something_through(dataset: xr.Dataset) -> None:
    """Whoever never sends breaks no other invariant."""
    assert int(dataset["received"].sel(flow=1)) > 10, "hardly a packet got through"
