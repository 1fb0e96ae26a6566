"""How much of a sender's data is on its way."""

import numpy as np
import xarray as xr

from simcore.metrics.series import of_run, series
from simcore.results.tables import HELD


@of_run
def flight_size_packets(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Packets sent and not yet cumulatively acknowledged, from each sending and each ACK on, as the sender counts.

    Of a capture, it must have been made at the sender.

    Returns
    -------
    xarray.DataArray
        Dimension `change`; it holds from its time until the next. Unit: packets.

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
    flight = np.maximum.accumulate(sent) - np.maximum.accumulate(acked)
    return series(flight, times[order], "change", "flight_size_packets", "flight size", "packets", **HELD)
