"""Metrics: functions from a dataset to labelled numbers, one definition per word.

What they share is said here; a metric's own docstring says what it means, and what is different. The arguments:

ds : xarray.Dataset or xarray.DataTree
    A run, as `simulate` returns it or as a node of a tree (`simcore.results.tree`), whose packets were recorded
    (`EVERYTHING`). Any run will do where a metric says so, even one of which only totals were kept (`TOTALS`).
flow : int
    The flow's number, from 1.
start_s, end_s : float
    A span of time, in s, without its end.
steps : xarray.DataArray
    Values that hold until the next one; one dimension, coordinate `time_s` in s.
before : float
    The value ahead of the first step, in the steps' unit.
measure : callable
    Takes a seed, returns a measurement.
seeds : sequence of int
    The seeds, each of them once, used in order.
confidence : float
    Probability that an interval holds the true mean.

What comes back:

xarray.DataArray
    With `long_name` and `units`. Of a metric of all flows: dimension `flow`, with the flows' numbers. Of any other: a
    series, in the order of its coordinate `time_s` in s. Along `packet`, that is when the packet arrived.
float, int, numpy.ndarray
    In the unit that the first sentence names.
Interval, Replications
    In the unit of the measurements.

What is raised:

NotRecordedError
    If the run lacks a table that the metric is made of: a KeyError (`simcore.metrics.series.NotRecordedError`) that
    says what to record.
"""

from simcore.metrics.accessor import Tcp
from simcore.metrics.bandwidth import bandwidth_kbps
from simcore.metrics.completion import completion_s
from simcore.metrics.cwnd import times_of, window
from simcore.metrics.episodes import (
    instant_correlation,
    longest_gap,
    loss_bursts,
    mean_crossings_per_s,
    system_trough_kbps,
)
from simcore.metrics.facts import buffer_packets, end_s, packet_bytes, rate_mbps, setup, window_packets
from simcore.metrics.flight import flight_size_packets
from simcore.metrics.intervals import (
    IdenticalReplicationsWarning,
    Interval,
    Replications,
    replicate,
    until_precise,
)
from simcore.metrics.latency import delivery_ms, jitter_abs_ms, jitter_ms, latency_ms
from simcore.metrics.losses import drop_times_s, loss_percent
from simcore.metrics.queue import queue_packets, queue_smoothed_packets
from simcore.metrics.rtt import rtt_ms
from simcore.metrics.sharing import jain, jain_index, share_percent, total_throughput_kbps, utilisation_percent
from simcore.metrics.states import queue_state, sender_state
from simcore.metrics.steps import envelope, moving_mean, spells
from simcore.metrics.throughput import (
    goodput_kbps,
    instant_throughput_kbps,
    kilobytes,
    payload_kb,
    system_throughput_kbps,
    throughput_kbps,
)

__all__ = [
    "IdenticalReplicationsWarning",
    "Interval",
    "Replications",
    "Tcp",
    "bandwidth_kbps",
    "buffer_packets",
    "completion_s",
    "delivery_ms",
    "drop_times_s",
    "end_s",
    "envelope",
    "flight_size_packets",
    "goodput_kbps",
    "instant_correlation",
    "instant_throughput_kbps",
    "jain",
    "jain_index",
    "jitter_abs_ms",
    "jitter_ms",
    "kilobytes",
    "latency_ms",
    "longest_gap",
    "loss_bursts",
    "loss_percent",
    "mean_crossings_per_s",
    "moving_mean",
    "packet_bytes",
    "payload_kb",
    "queue_packets",
    "queue_smoothed_packets",
    "queue_state",
    "rate_mbps",
    "replicate",
    "rtt_ms",
    "sender_state",
    "setup",
    "share_percent",
    "spells",
    "system_throughput_kbps",
    "system_trough_kbps",
    "throughput_kbps",
    "times_of",
    "total_throughput_kbps",
    "until_precise",
    "utilisation_percent",
    "window",
    "window_packets",
]
