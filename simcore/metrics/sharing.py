"""How the flows share the link, and how much of it they use together."""

import numpy as np
import xarray as xr

from simcore.metrics.facts import rate_mbps
from simcore.metrics.series import per_flow
from simcore.metrics.throughput import KBIT_PER_BYTE, busy_until_s


def jain(values: xr.DataArray) -> float:
    """Jain's fairness index: 1 when all flows get the same, 1/n when one gets everything; NaN if nobody does.

    Jain, Chiu, Hawe: A quantitative measure of fairness and discrimination (DEC TR-301, 1984).
    """
    x = np.asarray(values, dtype=float)
    squares = float((x**2).sum())
    return float(x.sum()) ** 2 / (x.size * squares) if squares else float("nan")


def share_percent(ds: xr.Dataset) -> xr.DataArray:
    """Each flow's part of all bytes received, in percent."""
    received = ds["received_bytes"]
    values = 100 * received / max(int(received.sum()), 1)
    return per_flow(ds, values, "share_percent", "share of the bytes received", "%")


def total_throughput_kbps(ds: xr.Dataset) -> float:
    """Bits received by all flows over the time from the first start until the last flow was over, in kb/s."""
    seconds = float(busy_until_s(ds).max() - ds["flow_start_s"].min())
    return KBIT_PER_BYTE * int(ds["received_bytes"].sum()) / seconds


def utilisation_percent(ds: xr.Dataset) -> float:
    """The flows' total throughput in percent of the bottleneck's rate."""
    return total_throughput_kbps(ds) / (10 * rate_mbps(ds))
