"""Throughput that adds up: the bits that reach each receiver in equal spans of time, over the span's length."""

from typing import Final, NamedTuple

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.metrics.facts import end_s
from simcore.metrics.series import Array
from simcore.results.journeys import KBIT_PER_BYTE, arrivals

WIDTHS_S: Final = tuple(float(f"{digit}e{power}") for power in range(-4, 4) for digit in (1, 2, 5))
MOST: Final = 60  # bins that are shown at once
LEAST_PACKETS: Final = 20  # that the link can send in a bin: with fewer, a bin says which side of its edge a packet was


class Bins(NamedTuple):
    """Where each begins, and its rate; the last pair is where the bins end, with a rate of zero."""

    begin_s: Array
    kbps: Array


def width_s(ds: xr.Dataset, span_s: float) -> float:
    """The bins' length where so much of a run is looked at: the shortest round one that is long enough."""
    largest = float(ds["packet_bytes"].values.max(initial=0))
    least = max(span_s / MOST, LEAST_PACKETS * KBIT_PER_BYTE * largest / (1e3 * metrics.rate_mbps(ds)))
    return next((width for width in WIDTHS_S if width >= least), WIDTHS_S[-1])


def bins(ds: xr.Dataset, flow: int, width: float) -> Bins:
    """A flow's throughput from the run's begin to its end, which may cut the last bin short.

    Each rate times how long its bin is, added up, are the bits that were delivered.
    """
    rows, end = arrivals(ds, flow), end_s(ds)
    count = max(1, int(np.ceil(end / width - 1e-9)))
    edges = np.append(width * np.arange(count), end)
    places = np.minimum(np.floor(ds["packet_arrived_s"].values[rows] / width + 1e-9).astype(np.int64), count - 1)
    bits = np.bincount(places, KBIT_PER_BYTE * ds["packet_bytes"].values[rows], minlength=count)
    return Bins(edges, np.append(bits / np.diff(edges), 0.0))
