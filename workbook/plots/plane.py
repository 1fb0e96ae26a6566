"""What a phase plane shows, without drawing it: the windows of two flows at the same times, and what the path holds."""

from typing import NamedTuple

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.metrics.series import Array
from simcore.results.tree import Run, dataset_of

HEADER_BYTES = 40  # of TCP and IP, as ns-2 counts them


class Plane(NamedTuple):
    """cwnd of both flows in packets, at every time in s at which either changes."""

    time_s: Array
    first: Array
    second: Array


def has_plane(run: Run) -> bool:
    """Whether a run has two TCP flows and no others."""
    return [str(kind) for kind in dataset_of(run)["flow_kind"].values] == ["tcp", "tcp"]


def plane(run: Run) -> Plane:
    """The windows of both flows, from when both have one."""
    ds = dataset_of(run)
    windows: list[xr.DataArray] = [metrics.window(ds, flow)["cwnd"] for flow in (1, 2)]
    times = [window["time_s"].values for window in windows]
    both = np.union1d(*times)
    both = both[both >= max(each[0] for each in times)]
    first, second = (
        window.values[np.searchsorted(each, both, side="right") - 1]
        for window, each in zip(windows, times, strict=True)
    )
    return Plane(both, first, second)


def capacity_packets(run: Run) -> float | None:
    """What the round trip and drop-tail's buffer hold together, in packets of flow 1; None for another queue."""
    link, buffer = metrics.setup(run), metrics.buffer_packets(run)
    if buffer is None:
        return None
    bits = 8 * (metrics.packet_bytes(run, 1) + HEADER_BYTES)
    round_trip_s = 2e-3 * float(link["delay_ms"]) + (bits + 8 * HEADER_BYTES) / (1e6 * float(link["rate_mbps"]))
    return 1e6 * float(link["rate_mbps"]) * round_trip_s / bits + buffer
