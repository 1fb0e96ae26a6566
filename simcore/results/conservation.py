"""No packet is made or lost by the simulator: checked at the end of every run, for every flow and link."""

from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.results.columns import NO_EVENTS, by_place
from simcore.results.log import DROPPED, ENQUEUED, RECEIVED, Outcome

Counts = npt.NDArray[Any]  # per flow


class ConservationError(AssertionError):
    """A simulator's fault: packets appeared or vanished. Never the scenario's doing."""


def check(outcome: Outcome) -> None:
    """Raise ConservationError unless enqueued = received + dropped + on their way.

    The engine's own counts must agree for every flow at the bottleneck; where packets were recorded, so must the
    recorded events, for every flow on every link.
    """
    totals = outcome.totals
    _balance("the bottleneck", totals["sent"], totals["received"], totals["dropped"], totals["in_flight"])
    log = outcome.log
    if len(log.packet_flow) == 0:
        return
    flow_of, uid = np.asarray(log.packet_flow), np.asarray(log.event_uid)
    places = by_place(np.asarray(log.event_link), np.asarray(log.event_kind))
    for number, left in outcome.remaining.items():
        happened = [uid[places.get((number, kind), NO_EVENTS)] for kind in (ENQUEUED, RECEIVED, DROPPED)]
        uids = [*happened, np.array(left, np.int64)]
        _balance(f"link {number}", *(np.bincount(flow_of[u], minlength=len(log.routes) + 1)[1:] for u in uids))


def _balance(place: str, enqueued: Counts, received: Counts, dropped: Counts, remaining: Counts) -> None:
    missing = enqueued - received - dropped - remaining
    for i in np.flatnonzero(missing)[:1]:
        raise ConservationError(
            f"{place}, flow {i + 1}: {enqueued[i]} packets enqueued, {received[i]} received, {dropped[i]} dropped "
            f"and {remaining[i]} on their way; {missing[i]} are unaccounted for"
        )
