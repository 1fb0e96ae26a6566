"""How the flows share the link, and how much of it they use together."""

import numpy as np
import numpy.typing as npt
import xarray as xr

from simcore.metrics.facts import end_s, rate_mbps
from simcore.metrics.series import of_run, per_flow
from simcore.results.journeys import total_rate_kbps


@of_run
def jain(ds: xr.Dataset) -> float:
    """Jain's fairness index (`jain_index`) of the bytes that each flow received. Any run will do."""
    return jain_index(ds["received_bytes"])


def jain_index(values: npt.ArrayLike) -> float:
    """Jain's fairness index of any shares.

    Parameters
    ----------
    values : array_like
        What each flow got, in any unit.

    Returns
    -------
    float
        1 when all get the same, 1/n when one of n gets everything; NaN if nobody gets anything.

    References
    ----------
    Jain, Chiu, Hawe: A quantitative measure of fairness and discrimination (DEC TR-301, 1984).
    """
    x = np.asarray(values, dtype=float)
    squares = float((x**2).sum())
    return float(x.sum()) ** 2 / (x.size * squares) if squares else float("nan")


@of_run
def share_percent(ds: xr.Dataset) -> xr.DataArray:
    """Each flow's part of all bytes received, in %. Any run will do."""
    received = ds["received_bytes"].values
    values = 100 * received / max(int(received.sum()), 1)
    return per_flow(ds, values, "share_percent", "share of the bytes received", "%")


@of_run
def total_throughput_kbps(ds: xr.Dataset) -> float:
    """Bits received by all flows over the time from the first start until the last flow was over, in kb/s."""
    return total_rate_kbps(ds, end_s(ds))


@of_run
def utilisation_percent(ds: xr.Dataset) -> float:
    """The flows' total throughput in % of the bottleneck's rate."""
    return total_throughput_kbps(ds) / (10 * rate_mbps(ds))
