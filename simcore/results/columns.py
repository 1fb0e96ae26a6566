"""The log's columns as arrays, and when each packet was where."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simcore.results.log import KINDS, Column, Log, Route

Array = npt.NDArray[Any]

NO_EVENTS: Final = np.array([], np.int64)


def by_place(link: Array, kind: Array) -> dict[tuple[int, int], Array]:
    """The numbers of the events of each kind on each link, in their order."""
    if link.size == 0:
        return {}
    place = link.astype(np.uint32) * KINDS + kind
    place = place.astype(np.min_scalar_type(place.max()))  # short integers are sorted by counting
    order = np.argsort(place, kind="stable")
    placed = place[order]
    groups = np.split(order, np.flatnonzero(placed[1:] != placed[:-1]) + 1)
    return {divmod(int(place[group[0]]), KINDS): group for group in groups}


class Columns:
    """The log's columns as arrays, without copying them."""

    def __init__(self, log: Log) -> None:
        self.routes = log.routes
        self.flow = np.asarray(log.packet_flow, np.int32)
        self.seq = int64(log.packet_seq)
        self.bytes = np.asarray(log.packet_bytes, np.int32)
        self.is_ack = np.asarray(log.packet_is_ack).astype(np.bool_)
        self.repeated = np.asarray(log.packet_repeated).astype(np.bool_)
        self.by_clock = None if log.packet_by_clock is None else np.asarray(log.packet_by_clock).astype(np.bool_)
        self.clock_s = None if log.packet_clock_s is None else np.asarray(log.packet_clock_s, np.float64)
        self.window = None if log.packet_window is None else int64(log.packet_window)
        self.when = np.asarray(log.event_s, np.float64)
        self.kind = np.ascontiguousarray(log.event_kind, np.uint8)
        self.uid = int64(log.event_uid)
        self.link = np.ascontiguousarray(log.event_link, np.uint16)
        self._places = by_place(self.link, self.kind)

    def time_at(self, kind: int, link_of: Callable[[Route], int]) -> Array:
        """When each packet had an event of this kind on one link of its flow's route."""
        return self.time_between(kind, link_of, link_of)

    def time_between(self, kind: int, first: Callable[[Route], int], last: Callable[[Route], int]) -> Array:
        """When each packet had an event of this kind on one of the row's links between two of its flow's route."""
        times = np.full(len(self.flow), np.nan)
        flows = {flow: (first(route), last(route)) for flow, route in self.routes.items()}
        for spanned in dict.fromkeys(flows.values()):
            is_meant = np.array([flows.get(flow) == spanned for flow in range(max(flows) + 1)])
            for link in range(spanned[0], spanned[1] + 1):
                chosen = self._places.get((link, kind), NO_EVENTS)
                if not is_meant[1:].all():
                    chosen = chosen[is_meant[self.flow[self.uid[chosen]]]]
                times[self.uid[chosen]] = self.when[chosen]
        return times

    def clocked(self, rows: Array) -> dict[str, Array]:
        """Of an engine in real time: which of these packets were stamped by the clock, and what the clock said."""
        if self.by_clock is None or self.clock_s is None:
            return {}
        return {"by_clock": self.by_clock[rows], "clock_s": self.clock_s[rows]}


def int64(column: Column) -> Array:
    """A column of 64-bit integers without copying it, as the type `int64`: Zarr knows no other name for it.

    An `array.array("q")` is C's `long long`, which numpy takes for equal and keeps.
    """
    return np.asarray(column, np.int64).view(np.int64)
