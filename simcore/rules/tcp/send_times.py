"""When segments were sent, for rules that need the round trip of each: the retransmission timer times one a window.

The state of such rules is a `SendTimes`, or has one, and they pass on to it what they are told.
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules.tcp.sender import TcpState

UNKNOWN_S: Final = -1.0


@dataclass(slots=True, kw_only=True)
class SendTimes:
    """What is remembered of every outstanding segment, at its number modulo the window."""

    sent_s: MutableSequence[float]  # UNKNOWN_S if it was sent twice: nobody knows which of them is acknowledged (Karn)


def send_times_arrays(window: int) -> dict[str, MutableSequence[float]]:
    """The array of a `SendTimes`, for a window of so many packets."""
    return {"sent_s": array("d", [UNKNOWN_S]) * window}


def segment_sent(tcp: TcpState, times: SendTimes, seq: int, now: float) -> None:
    """Segment `seq` is sent, for the first time or again."""
    times.sent_s[seq % tcp.window] = now if seq > tcp.highest_sent else UNKNOWN_S


def round_trip_s(tcp: TcpState, times: SendTimes, now: float) -> float:
    """How long ago the last segment was sent that is acknowledged now; negative if nobody knows."""
    sent_s = times.sent_s[tcp.highest_ack % tcp.window]
    return UNKNOWN_S if sent_s == UNKNOWN_S else now - sent_s
