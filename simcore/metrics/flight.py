"""How much of a sender's data is on its way."""

import numpy as np
import xarray as xr

from simcore.metrics.series import of_run, series
from simcore.results.tables import HELD


@of_run
def flight_size_packets(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Packets sent and not yet cumulatively acknowledged, from each sending and each ACK on, as the sender counts.

    Parameters
    ----------
    ds : xarray.Dataset
        A run whose packets were recorded (`EVERYTHING`), or a capture made at the sender.
    flow : int
        The flow's number, from 1.

    Returns
    -------
    xarray.DataArray
        Dimension `change`; coordinate `time_s` in s. It holds from its time until the next. Unit: packets.

    Raises
    ------
    KeyError
        If packets were not recorded.

    References
    ----------
    RFC 5681, section 2, "flight size".
    """
    own, acks = ds["packet_flow"].values == flow, ds["ack_flow"].values == flow
    sent_s, came_s = ds["packet_sent_s"].values[own], ds["ack_arrived_s"].values[acks]
    seq, number = ds["packet_seq"].values[own], ds["ack_number"].values[acks]
    came = ~np.isnan(came_s)
    times = np.concatenate([came_s[came], sent_s])
    order = np.argsort(times, kind="stable")
    acked = np.concatenate([number[came], np.full(len(seq), -1)])[order]
    sent = np.concatenate([np.full(int(came.sum()), -1), seq])[order]
    outstanding = np.maximum.accumulate(sent) - np.maximum.accumulate(acked)
    return series(outstanding, times[order], "change", "flight_size_packets", "flight size", "packets").assign_attrs(
        HELD
    )
