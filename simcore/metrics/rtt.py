"""Round-trip times, as the sender could measure them."""

import numpy as np
import xarray as xr

from simcore.metrics.series import of_run, offered, series


@of_run
def rtt_ms(ds: xr.Dataset, flow: int) -> xr.DataArray:
    """Time from a segment's sending until the first ACK that covers it came back: behind a hole, when it is filled.

    Returns
    -------
    xarray.DataArray
        Dimension `packet`: the segments that were sent once and acknowledged, at the ACK's arrival. Unit: ms.

    References
    ----------
    RFC 6298, section 3 (Karn's algorithm): a number that was sent twice gives no sample, because nobody can say
    which copy the ACK answers.
    """
    ack = np.flatnonzero((ds["ack_flow"].values == flow) & ~np.isnan(ds["ack_arrived_s"].values))
    covered = np.maximum.accumulate(ds["ack_number"].values[ack])
    numbers, first, copies = np.unique(
        ds["packet_seq"].values[offered(ds, flow)], return_index=True, return_counts=True
    )
    answer = np.searchsorted(covered, numbers)
    sampled = (copies == 1) & (answer < covered.size)
    back = ds["ack_arrived_s"].values[ack][answer[sampled]]
    sent = ds["packet_sent_s"].values[offered(ds, flow)][first[sampled]]
    return series(1e3 * (back - sent), back, "packet", "rtt_ms", "round-trip time", "ms")
