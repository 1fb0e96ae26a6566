"""How a sender repaired its losses: how many in a round trip, and what it sent again for nothing."""

from typing import Any

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.results.tree import Run, dataset_of

# What an ACK calls for leaves a round trip after what it acknowledges, to within the jitter of the queue.
SLACK = 0.02  # round trips


def repairs(run: Run) -> dict[str, Any]:
    """What a sender of one flow did about its losses.

    Returns
    -------
    dict
        `lost`: segments lost; `again`: packets sent again; `needless`: those of them whose segment had arrived, or was
        on its way; `round_trips`: from the first repair to that of the last loss; `most_in_a_round_trip`: the most
        lost segments that were sent again within one round trip; `timer`: how often the timer expired; `received`:
        packets received in the whole time.
    """
    ds = dataset_of(run)
    seq, sent_s, dropped = (ds[f"packet_{name}"].values for name in ("seq", "sent_s", "dropped"))
    again, lost = ds["packet_retransmission"].values, seq[dropped]
    whole = np.unique(seq[~dropped & ~again])  # whose first copy was not lost
    first = np.array([sent_s[again & (seq == number)].min(initial=np.inf) for number in np.unique(lost)])
    since = np.sort(first[np.isfinite(first)] - first.min()) / _round_trip_s(ds)
    return {
        "lost": int(dropped.sum()),
        "again": int(again.sum()),
        "needless": int(np.isin(seq[again], whole).sum()),
        "round_trips": float(since[-1]),
        "most_in_a_round_trip": max(int(((since >= at) & (since < at + 1 - SLACK)).sum()) for at in since),
        "timer": metrics.times_of(ds, 1, "timeout").size,
        "received": int(ds["received"].sum()),
    }


def _round_trip_s(ds: xr.Dataset) -> float:
    """That of a full segment without a queue: the least but for the SYN's, which is smaller."""
    return float(metrics.rtt_ms(ds, 1)[1:].min()) / 1e3
