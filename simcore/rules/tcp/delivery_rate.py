"""How fast segments arrive: a sample of the delivery rate for each ACK (draft-cheng-iccrg-delivery-rate-estimation-00).

The state of a control that goes by rates is a `Sampler`, and the control passes on to it what it is told. A sample is
taken from the segment that was sent last of those that an ACK tells of: what was delivered since that was sent, over
the longer of the times in which it was sent and in which it was acknowledged (section 3.2; Linux: tcp_rate.c).

The sources here always have data, or end, so that no sample is limited by the application (section 3.4).
"""

from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Final

from simcore.rules.tcp.sender import TcpState

UNKNOWN_S: Final = -1.0  # of a segment that has arrived, or that was never sent


@dataclass(slots=True, kw_only=True)
class Sampler:
    """What is remembered of every outstanding segment, at its number modulo the window, and of the last ACK."""

    sent_s: MutableSequence[float]  # when it was last sent; UNKNOWN_S once it has arrived
    delivered_before: MutableSequence[int]  # segments that were delivered before it was sent,
    delivered_before_s: MutableSequence[float]  # and when the last of them was
    first_sent_s: MutableSequence[float]  # when the sampling interval began in which it was sent
    repeated: MutableSequence[int]  # was it sent before?

    delivered: int = 0  # segments since the start
    delivered_s: float = 0.0  # when the last ACK came that told of one
    sending_since_s: float = 0.0  # when the segment was sent that the last sample was taken from

    # Of the last ACK
    newly_delivered: int = 0
    prior_delivered: int = -1  # of the sample; negative: there is none
    interval_s: float = 0.0
    rtt_s: float = -1.0  # of the segment that was sent last and only once; negative if there is none


def sampler_arrays(window: int) -> dict[str, MutableSequence[float] | MutableSequence[int]]:
    """The arrays of a `Sampler`, for a window of so many packets."""
    times = array("d", [UNKNOWN_S]) * window
    return {
        "sent_s": times,
        "delivered_before": array("q", bytes(8 * window)),
        "delivered_before_s": times[:],
        "first_sent_s": times[:],
        "repeated": array("q", bytes(8 * window)),
    }


def segment_sent(tcp: TcpState, sampler: Sampler, seq: int, now: float) -> None:
    """Note what was delivered when segment `seq` is sent, for the first time or again (Linux: tcp_rate_skb_sent())."""
    if tcp.highest_sent == tcp.highest_ack:  # nothing was outstanding: an interval begins
        sampler.sending_since_s = now
        sampler.delivered_s = now
    place = seq % tcp.window
    sampler.sent_s[place] = now
    sampler.delivered_before[place] = sampler.delivered
    sampler.delivered_before_s[place] = sampler.delivered_s
    sampler.first_sent_s[place] = sampler.sending_since_s
    sampler.repeated[place] = seq <= tcp.highest_sent


def ack_arrived(tcp: TcpState, sampler: Sampler, ack: int, now: float) -> None:
    """Take a sample from an ACK that recovery has not taken in yet (Linux: tcp_rate_gen())."""
    before = sampler.delivered
    sampler.prior_delivered = -1
    sampler.rtt_s = -1.0
    latest_s = UNKNOWN_S
    for seq in range(tcp.highest_ack + 1, ack + 1):
        latest_s = segment_delivered(tcp, sampler, seq, latest_s, now)
    for i in range(tcp.block_count):
        for seq in range(max(tcp.blocks[2 * i], ack + 1), tcp.blocks[2 * i + 1]):
            latest_s = segment_delivered(tcp, sampler, seq, latest_s, now)
    sampler.newly_delivered = sampler.delivered - before
    if sampler.newly_delivered > 0:
        sampler.delivered_s = now


def segment_delivered(tcp: TcpState, sampler: Sampler, seq: int, latest_s: float, now: float) -> float:
    """Segment `seq` has arrived; return when the latest of those that this ACK tells of was sent.

    Linux: tcp_rate_skb_delivered().
    """
    place = seq % tcp.window
    sent_s = sampler.sent_s[place]
    if sent_s == UNKNOWN_S:
        return latest_s
    sampler.sent_s[place] = UNKNOWN_S
    sampler.delivered += 1
    if sent_s < latest_s:
        return latest_s
    sampler.prior_delivered = sampler.delivered_before[place]
    acked_in_s = now - sampler.delivered_before_s[place]
    sampler.interval_s = max(sent_s - sampler.first_sent_s[place], acked_in_s)
    sampler.sending_since_s = sent_s
    if not sampler.repeated[place]:  # Karn: nobody knows which of the two is acknowledged
        sampler.rtt_s = now - sent_s
    return sent_s


def rate(sampler: Sampler, least_rtt_s: float) -> float:
    """The sample in segments per second; 0 if there is none, or if it is from less than the shortest round trip.

    Section 3.2.3: the clocks of ACKs that are compressed say nothing.
    """
    if sampler.prior_delivered < 0 or sampler.interval_s <= 0.0 or sampler.interval_s < least_rtt_s:
        return 0.0
    return (sampler.delivered - sampler.prior_delivered) / sampler.interval_s
