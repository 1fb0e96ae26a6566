"""Events on links, as a trace tells them, as the Dataset of one of these links."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from simcore.results import tables
from simcore.results.columns import Columns
from simcore.results.dataset import labelled
from simcore.results.log import DEQUEUED, DROPPED, ENQUEUED, FORWARD, RECEIVED, REVERSE, Log, Route
from simcore.results.totals import MEANINGS, totals_of

Array = npt.NDArray[Any]
Link = tuple[int, int]

UNKNOWN: Final = ("marked", "fast_retransmits", "timeouts")  # totals that no trace of packets tells


class UnreadableError(ValueError):
    """A file that can't be read as what it is taken for: what is wrong, and where."""


@dataclass(frozen=True)
class Events:
    """Events in order of time, one column a fact; names are places in lists of names.

    `ends` are the two addresses of a packet, the same for a flow's data and ACKs.
    """

    kind: Array
    s: Array
    near: Array
    far: Array
    type: Array
    bytes: Array
    fid: Array
    seq: Array
    uid: Array
    ends: tuple[Array, Array]
    is_ack: Array
    types: Sequence[str]

    def chosen(self, rows: Array) -> "Events":
        """Some of them."""
        columns = {name: getattr(self, name)[rows] for name in Events.__annotations__ if name not in ("ends", "types")}
        return Events(**columns, ends=(self.ends[0][rows], self.ends[1][rows]), types=self.types)


def dataset_of_events(events: Events, name: str, link: Link | None) -> xr.Dataset:
    """The Dataset of a link, or of the busiest one. Raises UnreadableError if no data pass it."""
    near, far = _busiest(events) if link is None else link
    passing, left_out = _of_flows_through(events, near, far)
    links = _link_numbers(passing, near, far)
    log, types = _log(passing, links)
    flows = _flows(log, types)
    known = Columns(log)
    recorded = {**tables.packets(known), **tables.acks(known), **tables.queue_changes(known), **tables.events(known)}
    number = {"flow": xr.Variable("flow", pd.RangeIndex(1, len(types) + 1), {"long_name": "flow", "units": "1"})}
    attributes = {
        "title": f"{name}, link {near}-{far}",
        "Conventions": "CF-1.11",
        "source": f"read from {name}: ns-2's trace, seen from the link of node {near} to node {far}",
        "recorded_until_s": float(events.s[-1]),
        "flows_left_out": left_out,
    }
    return xr.Dataset(labelled(recorded | flows), number, attributes)


def events_of_link(events: Events, link: Link | None) -> pd.DataFrame:
    """What each line says of a link, or of the busiest one, and of those that its flows pass: a row an event.

    Links and flows are numbered as in the Dataset. Raises UnreadableError if no data pass the link.
    """
    near, far = _busiest(events) if link is None else link
    passing, _ = _of_flows_through(events, near, far)
    names = ("kind", "s", "is_ack", "seq", "bytes", "uid")
    table = pd.DataFrame({name: getattr(passing, name) for name in names})
    return table.assign(link=_link_numbers(passing, near, far), flow=_flow_numbers(passing) + 1)


def _busiest(events: Events) -> Link:
    """The link over which most bytes of data are sent; of several, that which drops most."""
    sent = (events.kind == DEQUEUED) & ~events.is_ack
    if not sent.any():
        raise UnreadableError("no link of the trace carries data")
    frame = pd.DataFrame({"near": events.near, "far": events.far, "bytes": np.where(sent, events.bytes, 0)})
    frame["drops"] = events.kind == DROPPED
    near, far = frame.groupby(["near", "far"]).sum().sort_values(["bytes", "drops"]).index[-1]
    return int(near), int(far)


def _of_flows_through(events: Events, near: int, far: int) -> tuple[Events, int]:
    """The events of flows whose data pass the link, and how many other flows there are."""
    flow = _flow_numbers(events)
    through = (events.near == near) & (events.far == far) & ~events.is_ack
    passing = np.unique(flow[through])
    if passing.size == 0:
        links = np.unique(np.stack([events.near, events.far])[:, ~events.is_ack], axis=1)
        known = ", ".join(f"{a}-{b}" for a, b in links.T)
        raise UnreadableError(f"link {near}-{far}: no data pass it; data pass {known}")
    return events.chosen(np.isin(flow, passing)), len(np.unique(flow)) - len(passing)


def _flow_numbers(events: Events) -> Array:
    """A number for each event's flow, from 0: what has the same flow id and the same two ends is one flow.

    Flows are numbered by their ids where each has its own, as in scripts that set them, and else as they come.
    """
    key = pd.MultiIndex.from_arrays([events.fid, *events.ends])
    number, keys = pd.factorize(key)
    ids = keys.get_level_values(0)
    return np.asarray(np.argsort(np.argsort(ids))[number] if ids.is_unique else number)


def _link_numbers(events: Events, near: int, far: int) -> Array:
    """As the Dataset has them: FORWARD and REVERSE are the link in question, the others follow as they come."""
    number, pairs = pd.factorize(pd.MultiIndex.from_arrays([events.near, events.far]))
    renamed, ours = np.zeros(len(pairs), np.uint16), {(near, far): FORWARD, (far, near): REVERSE}
    others = (pair for pair in pairs if pair not in ours)
    ours |= {pair: place for place, pair in enumerate(others, start=2)}
    renamed[:] = [ours[pair] for pair in pairs]
    return np.asarray(renamed[number])


def _log(events: Events, links: Array) -> tuple[Log, list[str]]:
    """The log as an engine would have kept it, without windows; and the packet type of each flow's data."""
    _, first, packet = np.unique(events.uid, return_index=True, return_inverse=True)
    flow = _flow_numbers(events)[first].astype(np.int32) + 1
    seq, is_ack, type_of = events.seq[first], events.is_ack[first], events.type[first]
    repeated = pd.DataFrame({"flow": flow, "seq": seq, "is_ack": is_ack}).duplicated().to_numpy() & ~is_ack
    count = int(flow.max())
    types = [events.types[type_of[(flow == number) & ~is_ack][0]] for number in range(1, count + 1)]
    hops = pd.DataFrame({"packet": packet, "link": links})[events.kind == ENQUEUED]
    routes = {
        number: Route(_way(hops, (flow == number) & ~is_ack, FORWARD), _way(hops, (flow == number) & is_ack, REVERSE))
        for number in range(1, count + 1)
    }
    nothing = np.zeros(0, np.int64)
    return Log(
        routes, flow, seq, events.bytes[first], is_ack, repeated, events.s, events.kind, packet, links,
        *[nothing] * 7,
    ), types  # fmt: skip


def _way(hops: pd.DataFrame, packets: Array, link: int) -> list[int]:
    """The links that these packets pass, as the first of those tells that passed most; `link` if none is seen."""
    passed = hops[packets[hops["packet"].to_numpy()]]
    if passed.empty:
        return [link]
    longest = passed["packet"].value_counts(sort=False).idxmax()
    return [int(each) for each in passed.loc[passed["packet"] == longest, "link"]]


def _flows(log: Log, types: Sequence[str]) -> tables.Table:
    """What there is to say of each flow, and its totals."""
    flow, data = log.packet_flow, log.event_uid[~log.packet_is_ack[log.event_uid]]
    begin = pd.Series(log.event_s[~log.packet_is_ack[log.event_uid]]).groupby(flow[data]).agg(["min", "max"])
    has_acks = {int(number) for number in flow[log.packet_is_ack]}
    is_tcp = [number in has_acks or kind == "tcp" for number, kind in enumerate(types, start=1)]
    kinds = ["tcp" if each else "udp" for each in is_tcp]
    names = [f"{kind.upper()} {number}" for number, kind in enumerate(types, start=1)]
    totals = totals_of(log, {FORWARD: _remaining(log)}, {})
    variables = {
        "flow_kind": (np.array(kinds), "transport protocol", "1"),
        "flow_variant": (np.array(types), "packet type in the trace", "1"),
        "flow_name": (np.array(names), "name of the flow", "1"),
        "flow_start_s": (begin["min"].to_numpy(), "time of the first event of the flow's data", "s"),
        "flow_stop_s": (begin["max"].to_numpy(), "time of the last event of the flow's data", "s"),
    } | {name: (totals[name], *meaning) for name, meaning in MEANINGS.items() if name not in UNKNOWN}
    return {name: tables.variable("flow", *each) for name, each in variables.items()}


def _remaining(log: Log) -> list[int]:
    """The packets that were in the queue or on the link when the trace ended."""
    here = log.event_link == FORWARD
    came, left = (log.event_uid[here & np.isin(log.event_kind, kinds)] for kinds in ([ENQUEUED], [RECEIVED, DROPPED]))
    return [int(uid) for uid in np.setdiff1d(came, left)]
