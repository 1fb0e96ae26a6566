"""No packet is made or lost by the simulator: checked at the end of every run, for every flow and link."""

from collections.abc import Mapping, Sequence

import numpy as np

from simcore.log import DROPPED, ENQUEUED, RECEIVED, Log

Remaining = Mapping[int, Sequence[int]]  # link -> uids of the packets that wait in its queue or travel on it


class ConservationError(AssertionError):
    """A simulator's fault: packets appeared or vanished. Never the scenario's doing."""


def check(log: Log, remaining: Remaining) -> None:
    """Raise ConservationError unless enqueued = received + dropped + remaining, for every flow on every link."""
    flow_of = np.asarray(log.packet_flow)
    kind = np.asarray(log.event_kind)
    link = np.asarray(log.event_link)
    flow = flow_of[np.asarray(log.event_uid)]
    flows = int(flow_of.max(initial=0)) + 1
    for number, uids in remaining.items():
        count = {
            k: np.bincount(flow[(link == number) & (kind == k)], minlength=flows) for k in (ENQUEUED, DROPPED, RECEIVED)
        }
        still = np.bincount(flow_of[np.asarray(uids, dtype=np.int64)], minlength=flows)
        missing = count[ENQUEUED] - count[RECEIVED] - count[DROPPED] - still
        if missing.any():
            worst = int(np.flatnonzero(missing)[0])
            raise ConservationError(
                f"link {number}, flow {worst}: {count[ENQUEUED][worst]} packets enqueued, "
                f"{count[RECEIVED][worst]} received, {count[DROPPED][worst]} dropped and "
                f"{still[worst]} on their way; {missing[worst]} are unaccounted for"
            )
