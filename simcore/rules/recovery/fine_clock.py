"""The fine-grained clock of TCP Vegas: when was what sent, how long did it take, what is late?

Its times count from when the first segment was sent. Send times lie in a ring of exactly one window, as in ns-2.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules.congestion import control
from simcore.rules.tcp import sender
from simcore.rules.tcp.sender import TcpState

UNSENT_S: Final = -1.0


@dataclass(slots=True, kw_only=True)
class FineClock:
    """What a recovery with such a clock remembers."""

    sent_s: MutableSequence[float]  # when seq was last sent, at seq % window; UNSENT_S if not since it was acknowledged
    transmissions: MutableSequence[int]  # how often seq was sent, likewise

    # Round-trip times in seconds
    is_new: bool = True  # has no ACK come yet?
    smoothed_rtt: float = 0.0  # in eighths
    deviation: float = 0.0  # in quarters
    fine_timeout_s: float = 1000.0


def arrays(window: int) -> dict[str, object]:
    """The arrays of a state, for a window of so many packets."""
    return {"sent_s": array("d", [UNSENT_S] * window), "transmissions": array("q", bytes(8 * window))}


def segment_sent(tcp: TcpState, state: FineClock, seq: int, now: float) -> bool:
    """Note that `seq` was handed to the network; return whether the retransmission timer must be started."""
    sender.segment_sent(tcp, state, seq, now)
    place = seq % tcp.window
    if seq == 0:
        state.transmissions[place] = 0
    state.sent_s[place] = now - tcp.started_at_s
    state.transmissions[place] += 1
    return not tcp.timer_pending  # ns-2: Vegas doesn't restart it when nothing was outstanding


def first_ack_arrived(state: FineClock, clock_s: float) -> None:
    """The time since the first segment was sent is the first estimate of everything."""
    state.is_new = False
    state.smoothed_rtt = clock_s * 8.0
    state.deviation = clock_s
    state.fine_timeout_s = (state.smoothed_rtt / 4.0 + state.deviation) / 2.0


def take_sample(tcp: TcpState, state: FineClock, before: int, now: float) -> None:
    """Take the round-trip time of the segment acknowledged, if it was sent once, and forget what was acknowledged."""
    clock_s = now - tcp.started_at_s
    place = tcp.highest_ack % tcp.window
    sent_s, transmissions = state.sent_s[place], state.transmissions[place]
    forget(tcp, state, before)
    if sent_s == 0.0 or transmissions != 1:  # ns-2: the first segment, sent at 0, gives no sample
        return
    rtt_s = clock_s - sent_s
    control.segment_timed(tcp, rtt_s, now)
    if rtt_s > 0.0:
        error = rtt_s - state.smoothed_rtt / 8.0
        state.smoothed_rtt += error
        state.deviation += abs(error) - state.deviation / 4.0
        timeout_s = (state.smoothed_rtt / 4.0 + state.deviation) / 2.0
        state.fine_timeout_s = timeout_s + timeout_s / 16.0


def forget(tcp: TcpState, state: FineClock, before: int) -> None:
    """Clear the notes on the segments after `before` that are acknowledged now.

    ns-2 gives up where the ring begins anew, and leaves what lies there: when a later segment comes to such a place,
    it seems to have been sent more than once.
    """
    first, last = (before + 1) % tcp.window, tcp.highest_ack % tcp.window
    for place in range(first, last + 1):
        state.sent_s[place] = UNSENT_S
        state.transmissions[place] = 0


def is_late(tcp: TcpState, state: FineClock, clock_s: float) -> bool:
    """Has the first unacknowledged segment been on its way for at least the fine-grained timeout?

    ns-2: one that was never sent counts as sent at -1 s, and so it is late as well.
    """
    return clock_s - state.sent_s[(tcp.highest_ack + 1) % tcp.window] >= state.fine_timeout_s
