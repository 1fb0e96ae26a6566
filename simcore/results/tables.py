"""The tables of a Dataset, derived from the log: one function a table.

A table named `packet` has the dimension `packet` and variables `packet_...`. Times are in seconds; what did not
happen is NaN. Nothing here needs xarray, which takes longer to import than a short run to simulate.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.results.columns import Columns, int64
from simcore.results.log import (
    DEQUEUED,
    DROPPED,
    ENQUEUED,
    EVENT_LETTERS,
    FORWARD,
    MARKED,
    RECEIVED,
    Log,
    Recording,
)
from simcore.rules.causes import CAUSES
from simcore.rules.congestion import registry as controls
from simcore.rules.congestion.control import Control
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.recorded import Quantity, columns_of
from simcore.rules.recovery import registry as recoveries
from simcore.rules.recovery.recovery import Recovery
from simcore.rules.slow_start.registry import SLOW_STARTS
from simcore.rules.slow_start.slow_start import SlowStart

Array = npt.NDArray[Any]


class Variable(NamedTuple):
    """What becomes a variable of a Dataset: values along a dimension, and the attributes that say what they are."""

    dim: str
    values: Array
    attributes: dict[str, Any]


Table = dict[str, Variable]

MEANINGS = {
    "uid": ("packet number in order of creation", "1"),
    "flow": ("flow", "1"),
    "seq": ("sequence number", "packets"),
    "number": ("highest sequence number acknowledged", "packets"),
    "bytes": ("size, headers included", "bytes"),
    "sent_s": ("time sent", "s"),
    "enqueued_s": ("time offered to the bottleneck's queue", "s"),
    "dequeued_s": ("time its transmission over the bottleneck began", "s"),
    "received_s": ("time received behind the bottleneck", "s"),
    "arrived_s": ("time arrived at its destination", "s"),
    "dropped": ("dropped by a queue of the bottleneck", "1"),
    "marked": ("marked by the bottleneck: congestion experienced", "1"),
    "retransmission": ("sent before", "1"),
    "s": ("time", "s"),
    "cwnd": ("congestion window", "packets"),
    "ssthresh": ("slow start threshold", "packets"),
    "inflation": ("duplicate ACKs that inflate the window", "packets"),
    "srtt_s": ("smoothed round-trip time", "s"),
    "by_clock": ("sent by a timer of its own, at a time read off the clock", "1"),
    "clock_s": ("time on the kernel's clock, which is late: it had sent the packet, or was given the ACK", "s"),
    "window": ("segments that the receiver lets the sender have outstanding", "packets"),
    "rto_s": ("retransmission timeout", "s"),
    "cause": ("rule that changed the window", "1"),
    "queue_packets": ("packets waiting, without the one in transmission", "packets"),
    "step": ("change of the queue", "packets"),
    "start": ("first segment of a SACK block", "packets"),
    "end": ("first segment behind a SACK block", "packets"),
    "kind": ("kind of event", "1"),
    "link": ("link: 2k forward, 2k + 1 reverse, of the k-th in the row from 0", "1"),
}

HELD: Final = {"step": "post"}
"""An attribute of what holds from its time until the next: drawn as steps, matplotlib's `where="post"`."""


def tables(log: Log, recording: Recording) -> Table:
    """Every table that was to be recorded, as the variables of one Dataset."""
    inside = {**states(log), **disciplines(log)} if recording.states else {}
    if not recording.packets:
        return {**updates(log), **inside}
    columns = Columns(log)
    sent = {**packets(columns), **acks(columns), **sacks(log)}
    return {**sent, **updates(log), **queue_changes(columns), **events(columns), **inside}


def packets(columns: Columns) -> Table:
    """Data packets in the order in which they were sent."""
    rows = np.flatnonzero(~columns.is_ack)
    table: dict[str, Array] = {
        "uid": rows,
        "flow": columns.flow[rows],
        "seq": columns.seq[rows],
        "bytes": columns.bytes[rows],
    }
    journey = {
        "sent_s": columns.time_at(ENQUEUED, lambda route: route.out[0]),
        "enqueued_s": columns.time_at(ENQUEUED, lambda route: route.entry),
        "dequeued_s": columns.time_at(DEQUEUED, lambda route: route.entry),
        "received_s": columns.time_at(RECEIVED, lambda route: route.leaving),
        "arrived_s": columns.time_at(RECEIVED, lambda route: route.out[-1]),
        "dropped": ~np.isnan(columns.time_between(DROPPED, lambda route: route.entry, lambda route: route.leaving)),
        "marked": ~np.isnan(columns.time_between(MARKED, lambda route: route.entry, lambda route: route.leaving)),
    }
    times = {name: values[rows] for name, values in journey.items()}
    further = {"retransmission": columns.repeated[rows]} | columns.clocked(rows)
    return _table("packet", table | times | further)


def acks(columns: Columns) -> Table:
    """ACKs in the order in which they were sent."""
    rows = np.flatnonzero(columns.is_ack)
    table: dict[str, Array] = {
        "uid": rows,
        "flow": columns.flow[rows],
        "number": columns.seq[rows],
        "bytes": columns.bytes[rows],
    }
    journey = {
        "sent_s": columns.time_at(ENQUEUED, lambda route: route.back[0]),
        "enqueued_s": columns.time_at(ENQUEUED, lambda route: route.leaving + 1),
        "dequeued_s": columns.time_at(DEQUEUED, lambda route: route.leaving + 1),
        "received_s": columns.time_at(RECEIVED, lambda route: route.entry + 1),
        "arrived_s": columns.time_at(RECEIVED, lambda route: route.back[-1]),
        "dropped": ~np.isnan(
            columns.time_between(DROPPED, lambda route: route.entry + 1, lambda route: route.leaving + 1)
        ),
    }
    further = columns.clocked(rows) | ({} if columns.window is None else {"window": columns.window[rows]})
    return _table("ack", table | {name: values[rows] for name, values in journey.items()} | further)


def sacks(log: Log) -> Table:
    """The SACK blocks of every ACK, in the order in which it tells them, where the engine knows."""
    said = {"uid": log.sack_uid, "start": log.sack_start, "end": log.sack_end}
    return _table("sack", {name: int64(column) for name, column in said.items() if column is not None})


def updates(log: Log) -> Table:
    """Every change of a TCP sender's window, with the rule that made it."""
    table: dict[str, Array] = {
        "s": np.asarray(log.update_s, np.float64),
        "flow": np.asarray(log.update_flow, np.int32),
        "cwnd": np.asarray(log.update_cwnd, np.float64),
        "ssthresh": np.asarray(log.update_ssthresh, np.float64),
        "inflation": int64(log.update_inflation),
        "rto_s": np.asarray(log.update_rto_s, np.float64),
        "cause": np.asarray(log.update_cause, np.uint8),
    }
    if log.update_srtt_s is not None:
        table["srtt_s"] = np.asarray(log.update_srtt_s, np.float64)
    held = dict.fromkeys({"cwnd", "ssthresh", "inflation", "rto_s", "srtt_s"} & {*table}, HELD)
    return _table("update", table, {"cause": _flags(CAUSES), **held})


def queue_changes(columns: Columns) -> Table:
    """Every change of the bottleneck's queue; a refused packet never joins it."""
    forward = (columns.link == FORWARD) & (columns.kind != MARKED)
    kind, uid = columns.kind[forward], columns.uid[forward]
    # A packet is refused when it is dropped as soon as it is offered; else a drop takes it out of the queue.
    refused = (kind[:-1] == ENQUEUED) & (kind[1:] == DROPPED) & (uid[:-1] == uid[1:])
    steps = np.array([1, -1, -1, 0], np.int8)[kind]
    steps[:-1][refused] = 0
    steps[1:][refused] = 0
    chosen = steps != 0
    step = steps[chosen]
    table = {
        "s": columns.when[forward][chosen],
        "flow": columns.flow[uid[chosen]],
        "step": step,
        "queue_packets": np.cumsum(step, dtype=np.int32),
    }
    return _table("change", table, {"queue_packets": HELD})


def events(columns: Columns) -> Table:
    """The trace: everything that happened in the row of bottlenecks in either direction, in ns-2's order."""
    last = max(route.leaving for route in columns.routes.values()) + 1
    shown = (columns.link <= last) & (columns.kind != MARKED)
    table: dict[str, Array] = {
        "s": columns.when[shown],
        "kind": columns.kind[shown],
        "uid": columns.uid[shown],
        "link": columns.link[shown],
    }
    flags = _flags(("enqueued", "dequeued", "dropped", "received")) | {"letters": EVENT_LETTERS}
    return _table("event", table, {"kind": flags})


def states(log: Log) -> Table:
    """What controls, recoveries and slow starts record of their states (`simcore.rules.recorded`)."""
    rules: list[Control[Any] | Recovery[Any] | SlowStart[Any]] = [
        *controls.CONTROLS.values(),
        *controls.OF_STACKS.values(),
    ]
    rules += [*recoveries.RECOVERIES.values(), *recoveries.OF_STACKS.values(), *SLOW_STARTS.values()]
    return _recorded("state", log.states, columns_of((each.name, each.recorded) for each in rules))


def disciplines(log: Log) -> Table:
    """The same of queues."""
    rules = ((name, each.recorded) for name, each in DISCIPLINES.items())
    return _recorded("discipline", log.disciplines, columns_of(rules))


def _recorded(dim: str, columns: Mapping[str, Array], quantities: Mapping[str, Quantity]) -> Table:
    meanings = {"s": MEANINGS["s"], "flow": MEANINGS["flow"], "link": MEANINGS["link"], **quantities}
    names = {name: name.removeprefix(f"{dim}_") for name in columns}
    held = {name: HELD for name, short in names.items() if short in quantities}
    return {
        name: variable(dim, np.ascontiguousarray(values), *meanings[names[name]], **held.get(name, {}))
        for name, values in columns.items()
    }


def variable(dim: str, values: Array, long_name: str, units: str, **more: Any) -> Variable:
    """A variable that says what it is."""
    return Variable(dim, values, {"long_name": long_name, "units": units} | more)


def _table(dim: str, columns: Mapping[str, Array], more: Mapping[str, Mapping[str, Any]] | None = None) -> Table:
    return {
        f"{dim}_{name}": variable(dim, values, *MEANINGS[name], **(more or {}).get(name, {}))
        for name, values in columns.items()
    }


def _flags(names: Sequence[str]) -> dict[str, Any]:
    """CF conventions, section 3.5: what the numbers of a flag variable mean."""
    return {"flag_values": np.arange(len(names), dtype=np.uint8), "flag_meanings": " ".join(names)}
