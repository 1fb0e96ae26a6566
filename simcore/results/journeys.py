"""When packets arrived, and what follows from it, as plain arrays: of a Dataset, or of what becomes one.

`simcore.metrics` labels these numbers. Here they can be had before xarray is imported.
"""

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

KBIT_PER_BYTE: Final = 8e-3


class Values(Protocol):
    """A variable, whatever else it is."""

    @property
    def values(self) -> Array: ...


class Variables(Protocol):
    """A run by the names of its Dataset."""

    def __getitem__(self, name: str, /) -> Values: ...
    def __contains__(self, name: object, /) -> bool: ...


def arrivals(run: Variables, flow: int) -> NDArray[np.intp]:
    """Row numbers of the packets of one flow that arrived, in the order of their arrival."""
    received = run["packet_arrived_s"].values
    rows = np.flatnonzero((run["packet_flow"].values == flow) & ~np.isnan(received))
    return rows[np.argsort(received[rows], kind="stable")]


def busy_until_s(run: Variables, end_s: float) -> NDArray[np.float64]:
    """When each flow was over: its stop, or the arrival of its last packet where that came later, in s.

    A queue goes on draining after the sources stop; without those moments a full link would seem overfull.
    """
    received = run["packet_arrived_s"].values
    stops = run["flow_stop_s"].values.clip(max=end_s)
    flows = run["flow"].values
    ends = [
        max([float(stop), *received[arrivals(run, int(flow))][-1:]]) for flow, stop in zip(flows, stops, strict=True)
    ]
    return np.array(ends)


def rates_kbps(run: Variables, received_bytes: Array, end_s: float) -> NDArray[np.float64]:
    """Bytes over the flows' times; no number where a trace shows but one moment of a flow."""
    seconds = busy_until_s(run, end_s) - run["flow_start_s"].values
    with np.errstate(divide="ignore", invalid="ignore"):
        rates: NDArray[np.float64] = KBIT_PER_BYTE * received_bytes / seconds
    return rates


def total_rate_kbps(run: Variables, end_s: float) -> float:
    """All bytes received over the time from the first start until the last flow was over."""
    seconds = float(busy_until_s(run, end_s).max() - run["flow_start_s"].values.min())
    return KBIT_PER_BYTE * int(run["received_bytes"].values.sum()) / seconds


def latencies_ms(run: Variables, flow: int) -> NDArray[np.float64]:
    """From each packet's sending until its arrival, in the order of arrival."""
    rows = arrivals(run, flow)
    taken: NDArray[np.float64] = 1e3 * (run["packet_arrived_s"].values[rows] - run["packet_sent_s"].values[rows])
    return taken
