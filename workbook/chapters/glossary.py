"""The words that chapters explain: each once. A chapter shows those that it needs, the book has them all on a page."""

from collections.abc import Mapping
from typing import Final

from IPython.display import Markdown

GLOSSARY: Final[Mapping[str, str]] = {
    "ACK": "acknowledgement: the receiver says which segment it expects next",
    "bottleneck": "the slowest link of a path; the queue is in front of it",
    "burst": "packets back to back, as fast as the sender's own link takes them",
    "CBR": "a UDP source of constant bit rate",
    "congestion avoidance": "cwnd grows by one packet in a round trip; above ssthresh",
    "cwnd": "congestion window: how many packets a sender allows itself under way",
    "drop-tail": "a buffer that, when it is full, refuses whatever comes",
    "duplicate ACK": "an ACK that asks for the same segment as the one before: something behind it arrived",
    "EWMA": "a moving average that forgets: it keeps a part of its past, in the tutorials 0.9",
    "fast recovery": "what Reno does after a fast retransmit until the loss is repaired: it goes on sending",
    "fast retransmit": "three duplicate ACKs tell of a loss: the segment is sent again without waiting for the timer",
    "flight size": "what was sent and is not acknowledged yet",
    "goodput": "throughput of data that arrives for the first time: nothing that was sent again counts twice",
    "HighSpeed TCP": "RFC 3649: grows faster and cuts less while its window is large",
    "interface queue": "txqueuelen: what waits in the host for its own network card",
    "Jain's index": "how fair shares are: 1 if all are equal, 1/n if one of n flows has everything",
    "jitter": "how much the latency changes from one packet to the next",
    "latency": "the time of a packet from sender to receiver",
    "mismatch": "round model: how many segments arrive while the slow link sends one",
    "MSS": "maximum segment size: the bytes of data in a full segment",
    "pacing": "the sender keeps a least gap between packets",
    "phase": "when a packet arrives, between two departures from the buffer",
    "pipe": "what the path itself holds without a queue: its rate times the round trip",
    "Reno": "TCP with fast recovery: after three duplicate ACKs it halves its window and goes on",
    "replication": "the same run with another seed or another start",
    "RTO": "retransmission timeout: no ACK came for too long, and cwnd is one again",
    "segment": "TCP's packet",
    "self-clocking": "once the window is full, ACKs alone set the pace: one leaves the path, one may enter",
    "slow start": "two packets for every ACK: cwnd doubles in a round trip; below ssthresh",
    "ssthresh": "slow-start threshold: below it cwnd doubles in a round trip, above it cwnd grows by one packet",
    "stall": "round model: a round with a retransmission or a single byte of data, and no burst",
    "starvation": "a flow gets next to nothing while others use the link",
    "Student's interval": "holds the mean of independent replications with 95 %, though the variance is only estimated",
    "Tahoe": "TCP without fast recovery: after a loss it begins again with one packet, in slow start",
    "throughput": "what is carried in a second; the tutorials count headers and what is sent again",
    "UDP": "sends whatever happens: no window, no ACKs",
    "utilisation": "the part of the link that is used; round model: acknowledged bytes in % of what could have passed",
    "VBR": "a UDP source of varying bit rate: bursts and silences",
    "window": "how many packets may be under way without an ACK",
}


def words(*names: str) -> Markdown:
    """What some words mean, for a chapter's first cells. Raises KeyError for a word that the glossary lacks."""
    return Markdown("**Words.** " + " ".join(f"*{name}*: {GLOSSARY[name]}." for name in names))
