"""A run's totals: what is known of every flow even when nothing else was recorded.

Where a flow passes several bottlenecks in a row, they count as one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from simcore.results.log import DROPPED, ENQUEUED, MARKED, RECEIVED, Log

Totals = Mapping[str, npt.NDArray[np.int64]]

MEANINGS: Final = {
    "sent": ("packets offered to the bottleneck, refused ones included", "packets"),
    "dropped": ("packets dropped by the bottleneck", "packets"),
    "marked": ("packets marked by the bottleneck instead of dropped", "packets"),
    "received": ("packets received behind the bottleneck", "packets"),
    "received_bytes": ("bytes received behind the bottleneck, headers included", "bytes"),
    "retransmitted": ("packets sent that had been sent before", "packets"),
    "fast_retransmits": ("fast retransmits", "1"),
    "timeouts": ("retransmission timeouts with data outstanding", "1"),
    "acknowledged": ("highest segment acknowledged to the sender, the SYN being number 0", "1"),
    "in_flight": ("packets in the bottleneck's queue or on its link at the end", "packets"),
}


class Repairs(Protocol):
    """How often a sender repaired what was lost, in one way and in the other."""

    @property
    def fast_retransmits(self) -> int: ...
    @property
    def timeouts(self) -> int: ...


def totals_of(log: Log, remaining: Mapping[int, Sequence[int]], repairs: Mapping[int, Repairs]) -> Totals:
    """The totals of a log in which everything was recorded, and of what TCP senders, by flow, have counted."""
    flow, size = np.asarray(log.packet_flow), np.asarray(log.packet_bytes)
    link, kind, uid = np.asarray(log.event_link), np.asarray(log.event_kind), np.asarray(log.event_uid)
    entry = np.array([0] + [log.routes[number].entry for number in sorted(log.routes)])[flow[uid]]
    leaving = np.array([0] + [log.routes[number].leaving for number in sorted(log.routes)])[flow[uid]]
    in_row = (link % 2 == 0) & (link >= entry) & (link <= leaving)

    def count(flows: Any, weights: Any = None) -> npt.NDArray[np.int64]:
        return np.bincount(flows, weights, minlength=len(log.routes) + 1)[1:].astype(np.int64)

    def told(numbers: Mapping[int, int]) -> npt.NDArray[np.int64]:
        return np.array([numbers.get(flow, 0) for flow in range(1, len(log.routes) + 1)], np.int64)

    received = uid[(kind == RECEIVED) & (link == leaving)]
    row = range(0, max(route.leaving for route in log.routes.values()) + 1, 2)
    underway = np.array([number for place in row for number in remaining[place]], np.int64)
    return {
        "sent": count(flow[uid[(kind == ENQUEUED) & (link == entry)]]),
        "dropped": count(flow[uid[(kind == DROPPED) & in_row]]),
        "marked": count(flow[uid[kind == MARKED]]),
        "received": count(flow[received]),
        "received_bytes": count(flow[received], size[received]),
        "retransmitted": count(flow[np.asarray(log.packet_repeated) == 1]),
        "fast_retransmits": told({flow: sender.fast_retransmits for flow, sender in repairs.items()}),
        "timeouts": told({flow: sender.timeouts for flow, sender in repairs.items()}),
        "acknowledged": _acknowledged(log),
        "in_flight": count(flow[underway]),
    }


def _acknowledged(log: Log) -> npt.NDArray[np.int64]:
    """The highest number in the ACKs that came off the last link of each flow's way back."""
    flow, last_link = np.asarray(log.packet_flow), np.zeros(len(log.routes) + 1, np.int64)
    for number, route in log.routes.items():
        last_link[number] = route.back[-1]
    uid = np.asarray(log.event_uid)
    came = (np.asarray(log.event_kind) == RECEIVED) & (np.asarray(log.event_link) == last_link[flow[uid]])
    acks = uid[came & (np.asarray(log.packet_is_ack)[uid] == 1)]
    highest = np.zeros(len(log.routes) + 1, np.int64)
    np.maximum.at(highest, flow[acks], np.asarray(log.packet_seq)[acks])
    return highest[1:]
