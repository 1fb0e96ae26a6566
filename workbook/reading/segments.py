"""Sequence numbers of bytes, which wrap, as numbers of segments; and what can be concluded from ACKs."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from dpkt.tcp import TH_FIN, TH_RST, TH_SYN

Array = npt.NDArray[Any]

NO_DATA: Final = TH_SYN | TH_FIN | TH_RST


def unwrapped(numbers: Array) -> Array:
    """Numbers modulo 2^32 in the order in which they were seen, as numbers that go on (RFC 9293, section 3.4)."""
    steps = np.diff(numbers.astype(np.uint32)).astype(np.int32)
    return np.concatenate([numbers[:1].astype(np.int64), steps]).cumsum()


def occupied(payload: Array, flags: Array) -> Array:
    """The sequence numbers that each segment takes: its bytes, and one for a SYN and for a FIN."""
    return np.asarray(payload + (flags & TH_SYN > 0) + (flags & TH_FIN > 0))


def segment_numbers(begins: Array, ends: Array, acks: Array) -> tuple[Array, Array]:
    """The number of each data segment, from 0 in the order of their bytes; and the last that each ACK covers wholly.

    Segments are those that were seen, whatever their sizes: as large as the sender's card cuts them, or as it was told
    to. A SYN that was seen is 0. An ACK of nothing has -1.
    """
    edges = np.unique(np.append(begins, ends.max()))
    return np.searchsorted(edges, begins), np.searchsorted(edges, acks, side="right") - 2


def sent_before(begins: Array, ends: Array, at_sender: bool) -> Array:
    """Which segments are retransmissions, in the order in which they were seen.

    At the sender: what begins below the highest byte sent so far. Elsewhere packets may be late, and only bytes that
    were seen before tell.
    """
    if at_sender:
        highest = np.maximum.accumulate(ends)
        return np.concatenate([[False], begins[1:] < highest[:-1]])
    return pd.DataFrame({"begin": begins}).duplicated().to_numpy()


def duplicate_acks(acks: Array, payload: Array, flags: Array, window: Array, outstanding: Array) -> Array:
    """Which ACKs are duplicates, as RFC 5681, section 2, defines them.

    No data, no SYN or FIN, the number and window of the ACK before, and data outstanding.
    """
    same = np.concatenate([[False], (np.diff(acks) == 0) & (np.diff(window) == 0)])
    return np.asarray(same & (payload == 0) & (flags & NO_DATA == 0) & outstanding)


def stamped_samples(sent_ns: Array, stamps: Array, ack_ns: Array, acks: Array, echoes: Array) -> tuple[Array, Array]:
    """Round-trip times by the timestamps option, in ns, and which ACKs give them: those of new data.

    An echo answers the last segment before it that carried its value: where the clock ticks slower than segments leave,
    the samples are too short by a tick at most (RFC 7323, section 4.1).
    """
    is_new = np.diff(np.maximum.accumulate(acks), prepend=acks[:1] - 1) > 0
    asked = pd.DataFrame({"ns": ack_ns, "stamp": echoes, "row": np.arange(len(acks))})[is_new]
    known = pd.DataFrame({"ns": sent_ns, "stamp": stamps, "sent": sent_ns})
    samples = pd.merge_asof(asked, known, on="ns", by="stamp", allow_exact_matches=False).dropna()
    return (samples["ns"] - samples["sent"]).to_numpy(), samples["row"].to_numpy()
