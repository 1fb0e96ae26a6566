"""The same two Tahoe senders in the packet model, asked what the rounds were asked.

A round trip of the empty path is its round. Sender 2 starts in another fraction of a round trip in each run: the packet
model has no chance, and a phase of its own in every run.
"""

from typing import Final

import numpy as np
import xarray as xr

from simcore import Scenario, metrics, simulate
from workbook.chapters.competing_tahoe.measures import Measured
from workbook.chapters.competing_tahoe.track import Array

CUTS: Final = ("fast_retransmit", "timeout")


def segment_s(scenario: Scenario) -> float:
    """How long the bottleneck takes to send a segment with its header."""
    header = scenario.profile.header_bytes
    return (scenario.flows[0].packet_bytes + header) * 8e-6 / scenario.bottleneck.rate_mbps


def round_s(scenario: Scenario, engine: str) -> float:
    """The round trip of a segment that meets no other: that of the first one."""
    alone = simulate(scenario.model_copy(update={"flows": scenario.flows[:1]}), engine)
    return float(metrics.rtt_ms(alone, 1)[1]) / 1e3  # after the SYN, which is shorter


def phases(scenario: Scenario, count: int, trip_s: float) -> list[Scenario]:
    """The scenario with sender 2 starting at each of so many fractions of a round trip."""
    one, two = scenario.flows
    starts = [two.start_s + trip_s * i / count for i in range(count)]
    return [scenario.model_copy(update={"flows": (one, two.model_copy(update={"start_s": start}))}) for start in starts]


def with_buffer(scenario: Scenario, packets: int) -> Scenario:
    """The same with another buffer at the bottleneck."""
    bottleneck = scenario.bottleneck.model_copy(update={"buffer_packets": packets})
    return scenario.model_copy(update={"bottleneck": bottleneck})


def windows(run: xr.Dataset, flow: int, trip_s: float) -> Array:
    """The congestion window in segments at the end of each round trip; 0 before the flow begins."""
    steps = metrics.window(run, flow)
    ends = trip_s * np.arange(1, rounds_of(run, trip_s) + 1)
    before = np.searchsorted(steps["time_s"].values, ends, side="right")
    values: Array = np.concatenate([[0.0], steps["cwnd"].values])[before]
    return values


def rounds_of(run: xr.Dataset, trip_s: float) -> int:
    """Whole round trips of a run."""
    return int(metrics.end_s(run) / trip_s)


def measure_packets(run: xr.Dataset, scenario: Scenario, trip_s: float) -> Measured:
    """By the same names as `workbook.chapters.competing_tahoe.measures`."""
    flows = range(1, len(scenario.flows) + 1)
    new = np.array([_new_segments(run, flow) for flow in flows])
    room = metrics.end_s(run) / segment_s(scenario)
    per_flow = {f"sender{flow}.{name}": value for flow in flows for name, value in _of_flow(run, flow, trip_s).items()}
    return per_flow | {
        "sender1.share_percent": 100 * float(new[0] / new.sum()),
        "total.utilisation_percent": 100 * float(new.sum() / room),
        "total.segments_per_round": float(new.sum() * trip_s / metrics.end_s(run)),
        "total.loss_percent": 100 * float(run["dropped"].sum() / run["sent"].sum()),
    }


def _of_flow(run: xr.Dataset, flow: int, trip_s: float) -> Measured:
    steps = metrics.window(run, flow)
    cuts = np.flatnonzero(np.isin(steps["cause"].values, CUTS))
    sent = _sent_per_round(run, flow, trip_s)
    return {
        "first_drop_round": float((metrics.drop_times_s(run, flow)[0] - _first_data_s(run, flow)) / trip_s),
        "spike_segments": float(steps["cwnd"].values[cuts[1:] - 1].max()),
        "cycle_rounds": float(np.diff(steps["time_s"].values[cuts]).mean() / trip_s),
        "stalled_percent": 100 * float((sent[int(float(run["flow_start_s"][flow - 1]) / trip_s) + 1 :] <= 1).mean()),
    }


def _first_data_s(run: xr.Dataset, flow: int) -> float:
    """When its first segment of data was sent, a round trip after its SYN."""
    rows = (run["packet_flow"].values == flow) & (run["packet_seq"].values == 1)
    return float(run["packet_sent_s"].values[rows][0])


def _sent_per_round(run: xr.Dataset, flow: int, trip_s: float) -> Array:
    rows = run["packet_flow"].values == flow
    edges = trip_s * np.arange(rounds_of(run, trip_s) + 1)
    counts: Array = np.histogram(run["packet_sent_s"].values[rows], edges)[0]
    return counts


def _new_segments(run: xr.Dataset, flow: int) -> int:
    """Segments of data that arrived, each counted once."""
    arrived = (run["packet_flow"].values == flow) & ~np.isnan(run["packet_received_s"].values)
    numbers = np.unique(run["packet_seq"].values[arrived])
    return int((numbers > 0).sum())  # 0 is the SYN
