"""The fine-grained clock of TCP Vegas: when was what sent, how long do round trips take, what is late?

Its times count from when the first segment was sent. Send times lie in a ring of exactly one window, as in ns-2.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Any, Final

from simcore.rules import tcp

UNSENT_S: Final = -1.0


@dataclass(slots=True, kw_only=True)
class FineClock(tcp.TcpState):
    """The state of a sender that has such a clock."""

    sent_s: MutableSequence[float]  # when seq was last sent, at seq % window; UNSENT_S if not since it was acknowledged
    transmissions: MutableSequence[int]  # how often seq was sent, likewise
    started_at_s: float = 0.0  # the simulation's time when the first segment was sent

    # Round-trip times in seconds
    base_rtt_s: float = -1.0  # the shortest; negative before the first ACK
    smoothed_rtt: float = 0.0  # in eighths
    deviation: float = 0.0  # in quarters
    fine_timeout_s: float = 1000.0
    rtt_sum_s: float = 0.0  # of the samples of this round trip
    rtt_count: int = 0


def arrays(window: int) -> dict[str, Any]:
    """The arrays of a state, for a window of so many packets."""
    return {"sent_s": array("d", [UNSENT_S] * window), "transmissions": array("q", bytes(8 * window))}


def segment_sent(state: FineClock, seq: int, now: float) -> bool:
    """Note that `seq` was handed to the network; return whether the retransmission timer must be started."""
    place = seq % state.window
    if seq == 0:
        state.started_at_s = now
        state.transmissions[place] = 0
    state.sent_s[place] = now - state.started_at_s
    state.transmissions[place] += 1
    tcp.segment_sent(state, seq, now)
    return not state.timer_pending  # ns-2: Vegas doesn't restart it when nothing was outstanding


def first_ack_arrived(state: FineClock, clock_s: float) -> None:
    """The time since the first segment was sent is the first estimate of everything."""
    state.base_rtt_s = clock_s
    state.smoothed_rtt = clock_s * 8.0
    state.deviation = clock_s
    state.fine_timeout_s = (state.smoothed_rtt / 4.0 + state.deviation) / 2.0


def take_sample(state: FineClock, before: int, clock_s: float) -> None:
    """Take the round-trip time of the segment acknowledged, if it was sent once, and forget what was acknowledged."""
    place = state.highest_ack % state.window
    sent_s, transmissions = state.sent_s[place], state.transmissions[place]
    forget(state, before)
    if sent_s == 0.0 or transmissions != 1:  # ns-2: the first segment, sent at 0, gives no sample
        return
    rtt_s = clock_s - sent_s
    state.rtt_sum_s += rtt_s
    state.rtt_count += 1
    if rtt_s > 0.0:
        state.base_rtt_s = min(state.base_rtt_s, rtt_s)
        error = rtt_s - state.smoothed_rtt / 8.0
        state.smoothed_rtt += error
        state.deviation += abs(error) - state.deviation / 4.0
        timeout_s = (state.smoothed_rtt / 4.0 + state.deviation) / 2.0
        state.fine_timeout_s = timeout_s + timeout_s / 16.0


def forget(state: FineClock, before: int) -> None:
    """Clear the notes on the segments after `before` that are acknowledged now.

    ns-2 gives up where the ring begins anew, and leaves what lies there: when a later segment comes to such a place,
    it seems to have been sent more than once.
    """
    first, last = (before + 1) % state.window, state.highest_ack % state.window
    for place in range(first, last + 1):
        state.sent_s[place] = UNSENT_S
        state.transmissions[place] = 0


def is_late(state: FineClock, clock_s: float) -> bool:
    """Has the first unacknowledged segment been on its way for at least the fine-grained timeout?

    ns-2: one that was never sent counts as sent at -1 s, and so it is late as well.
    """
    return clock_s - state.sent_s[(state.highest_ack + 1) % state.window] >= state.fine_timeout_s
