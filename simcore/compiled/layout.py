"""The network as arrays of records, built from a scenario: what the compiled loop works on."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.compiled import leaves, tournament
from simcore.compiled.features import INTERFACES, RECORDING
from simcore.compiled.records import (
    HEADER,
    SCALARS,
    any_has_timer,
    is_special,
    place_of,
    records_of_impairments,
    records_of_queues,
    records_of_states,
    records_of_streams,
)
from simcore.network.inside import rules_of_queues, rules_of_senders
from simcore.network.queues import Queue
from simcore.network.states import segment_bytes
from simcore.network.streams import RandomNumbers, random_numbers
from simcore.network.topology import Topology
from simcore.results.log import Recording, Route
from simcore.rules.queues.registry import DISCIPLINES
from simcore.scenario.flows import Flow, TcpFlow
from simcore.scenario.reach import Rows, expected_rows, packets_sent, usable_window
from simcore.scenario.scenario import Scenario

Array = npt.NDArray[Any]

END_OF_PATH: Final = -1
NO_QUEUE: Final = -1
NO_PORT: Final = -1
MOST_ROOM_BYTES: Final = 1 << 28  # of a table before the run; a system may refuse more than it has
ROWS_A_PACKET: Final = 4  # the most that one packet adds to a table of the log within one event

# Aligned, because a field that straddles two cache lines costs more than the padding.
RUN = np.dtype(
    [("now", "f8"), ("now_id", "i8"), ("end_s", "f8"), ("id", "i8"), ("uid", "i8"), ("event", "i8"),
     ("update", "i8"), ("state", "i8"), ("discipline", "i8"), ("burst", "i8"), ("row_ports", "i8"),
     ("spare_events", "i8"), ("window_interval_s", "f8"), ("recording", "?"), ("crowded", "?")],
    align=True,
)  # fmt: skip
PORT = np.dtype(
    [("rate_bps", "f8"), ("delay_s", "f8"), ("limit", "i8"), ("free_s", "f8"), ("free_id", "i8"),
     ("start", "i8"), ("mask", "i8"), ("arrived", "i8"), ("taken", "i8"), ("offered", "i8"), ("last_bytes", "i8"),
     ("last_transmission_s", "f8"), ("queue", "i8"), ("standing", "i8"), ("slots", "i8"), ("stream", "i8")],
    align=True,
)  # fmt: skip
EQUIPPED_PORT = np.dtype(
    [*((name, PORT[name]) for name in PORT.names or ()), ("gap_s", "f8"), ("refuses_senders", "?"),
     ("tells_congestion", "?"), ("high", "i8"), ("low", "i8"), ("obeys", "i8"), ("is_paused", "?"), INTERFACES.field],
    align=True,
)  # fmt: skip
PACKET = np.dtype(
    [("arrival_s", "f8"), ("arrival_id", "i8"), ("uid", "i8"), ("seq", "i8"), ("flow", "i4"), ("bytes", "i4"),
     ("hop", "i2"), ("is_ack", "?")]
)  # fmt: skip
# What a scenario says of every flow in a number.
SAID: Final = {name: SCALARS[said.annotation] for name, said in Flow.model_fields.items() if said.annotation in SCALARS}
FLOW = np.dtype(
    [*SAID.items(), ("is_tcp", "?"), ("data_bytes", "i4"), ("syn_bytes", "i4"), ("ack_bytes", "i4"),
     ("is_running", "?"), ("stream", "i8"), ("losses", "i8"), ("jitter", "i8"), ("next_seq", "i8"),
     ("deadline_s", "f8"), ("deadline_id", "i8"),
     ("sent", "i8"), ("dropped", "i8"), ("marked", "i8"), ("received", "i8"), ("received_bytes", "i8"),
     ("retransmitted", "i8"), ("last_kept_s", "f8"),
     ("entry_hop", "i2"), ("leaving_hop", "i2")],
    align=True,
)  # fmt: skip

LOGGED_PACKET = np.dtype([("flow", "i4"), ("bytes", "i4"), ("seq", "i8"), ("is_ack", "?"), ("repeated", "?")])
LOGGED_EVENT = np.dtype([("s", "f8"), ("uid", "i8"), ("link", "u2"), ("kind", "u1")])
LOGGED_UPDATE = np.dtype(
    [("s", "f8"), ("cwnd", "f8"), ("ssthresh", "f8"), ("rto_s", "f8"), ("inflation", "i8"), ("flow", "i4"),
     ("cause", "u1")]
)  # fmt: skip

UNRECORDED = np.dtype([("nothing", "?")])


class World(NamedTuple):
    """Everything that the loop reads and writes. Flows and ports count from 0; path 2f is f's way out, 2f+1 back.

    Kernels see it as `simcore.compiled.view.World`.
    """

    run: Array  # one record
    ports: Array
    ring: Array  # the packets in and behind every port, each port in a part of its own
    flows: Array
    tcp: Array
    sinks: Array
    sources: Array
    streams: Array  # of random numbers
    impairments: Array  # by flow, without fields if nothing is lost or spared on purpose
    queues: Array  # of the ports that have another discipline than plain drop-tail; a record of no fields if none has
    standing: Array  # the packets that wait for those disciplines, by slot, each queue's in a part of its own
    paths: Array  # (2 * flows, hops): ports, END_OF_PATH behind the last
    link_leaves: Array  # two events a port: 2p transmitter free, 2p+1 arrival at the far end
    link_winner: Array
    host_leaves: Array  # whose they are says `simcore.compiled.leaves`
    host_winner: Array
    packets: Array  # the log
    events: Array
    updates: Array
    states: Array  # what senders' rules record of their states, and queues': UNRECORDED if that is not asked for
    disciplines: Array


def world_of(scenario: Scenario, topology: Topology, recording: Recording, made: "Made | None" = None) -> World:
    """The world at t = 0; nothing is scheduled yet. `made` says of which types, if not of those that it needs."""
    made = made or OWN
    burst = max((usable_window(scenario, f) for f in scenario.flows if isinstance(f, TcpFlow)), default=1) + 8
    queues = [port.queue for port in topology.ports if port.queue]
    numbers, special = random_numbers(scenario), is_special(scenario, queues)
    slots = [len(queue.state.behind) for queue in queues]
    tcp, sinks, sources = made.states(scenario, numbers.phases_s, special)
    packet = np.dtype([*PACKET.descr, (HEADER, tcp.dtype[HEADER])])
    ports, ring = _ports(topology, slots, burst, packet)
    ports["stream"][: 2 * len(numbers.queues) : 2] = numbers.queues
    hosts = leaves.count(len(scenario.flows), len(scenario.row()), delays=special, queues=any_has_timer(queues))
    link_leaves, host_leaves = tournament.leaves_for(2 * len(ports)), tournament.leaves_for(hosts)
    run = np.zeros(1, RUN)
    run["end_s"], run["row_ports"] = scenario.end_s, 2 * len(scenario.row())
    run["recording"], run["window_interval_s"] = recording.packets, recording.window_interval_s
    run["burst"] = burst
    run["spare_events"] = ROWS_A_PACKET * burst + sum(slots)  # a discipline may drop all that wait
    least = 4 * (ROWS_A_PACKET * burst + sum(slots))
    return World(
        run, ports, ring, _flows(scenario, topology.routes, numbers), tcp, sinks, sources,
        records_of_streams(numbers), made.impairments(scenario, special), made.queues(queues),
        np.zeros(max(1, sum(slots)), packet), _paths(topology.routes),
        link_leaves, tournament.winners_for(link_leaves), host_leaves, tournament.winners_for(host_leaves),
        *made.log(scenario, recording, least), *_inside(scenario, recording, least),
    )  # fmt: skip


def _tables(scenario: Scenario, recording: Recording, least: int) -> list[Array]:
    """The log's tables, with room for what is to be expected: to copy them as they grow takes longer than the run.

    Nothing is written into the room, so the system gives memory only to the part that the run comes to use.
    """
    expected = expected_rows(scenario, packets_sent(scenario)) if recording.packets else Rows(0, 0, 0)
    types = (LOGGED_PACKET, LOGGED_EVENT, LOGGED_UPDATE)
    rooms = (min(int(rows), MOST_ROOM_BYTES // row.itemsize) for rows, row in zip(expected, types, strict=True))
    return [np.empty(least + room, row) for room, row in zip(rooms, types, strict=True)]


def _inside(scenario: Scenario, recording: Recording, least: int) -> list[Array]:
    """The tables of what rules record of their states: a record for each set of rules within the row."""
    if not recording.states:
        return [np.zeros(1, UNRECORDED), np.zeros(1, UNRECORDED)]
    senders = {place_of(rules): rules.recorded for rules in rules_of_senders(scenario)}
    queues = {name: DISCIPLINES[name].recorded for name in rules_of_queues(scenario)}
    owners = (("flow", senders), ("link", queues))
    return [
        np.empty(least, [("s", "f8"), (owner, "i4"), *map(_reals, rules.items()), RECORDING.field])
        for owner, rules in owners
    ]


def _reals(rules: tuple[str, Iterable[str]]) -> tuple[str, list[tuple[str, str]]]:
    place, fields = rules
    return place, [(name, "f8") for name in fields]


class Made(NamedTuple):
    """How states become records, and what room the log has."""

    states: Callable[[Scenario, Sequence[float], bool], tuple[Array, Array, Array]]
    impairments: Callable[[Scenario, bool], Array]
    queues: Callable[[Sequence[Queue]], Array]
    log: Callable[[Scenario, Recording, int], Sequence[Array]]


OWN: Final = Made(records_of_states, records_of_impairments, records_of_queues, _tables)
"""Of the types that a network needs, which it is compiled for."""


def _ports(topology: Topology, slots: Sequence[int], burst: int, packet: np.dtype[Any]) -> tuple[Array, Array]:
    """The ports at rest, and a ring with room for what each of them holds."""
    ports, length = topology.ports, 1 << (2 * burst).bit_length()
    equipped = any(port.gap_s or port.high or port.when_full != "drop" for port in ports)
    records = np.zeros(len(ports), EQUIPPED_PORT if equipped else PORT)
    for name in ("rate_bps", "delay_s"):
        records[name] = [getattr(port, name) for port in ports]
    records["limit"] = [port.limit for port in ports]
    records["free_s"], records["mask"], records["start"] = -np.inf, length - 1, length * np.arange(len(ports))
    records["queue"] = NO_QUEUE
    disciplined = [i for i, port in enumerate(ports) if port.queue]
    records["queue"][disciplined] = np.arange(len(disciplined))
    records["slots"][disciplined] = slots
    records["standing"][disciplined] = np.cumsum([0, *slots])[:-1]
    if equipped:
        _equip(records, topology)
    return records, np.zeros(len(ports) * length, packet)


def _equip(records: Array, topology: Topology) -> None:
    """What only some networks have: see `simcore.compiled.interfaces`."""
    for name in ("gap_s", "high", "low"):
        records[name] = [getattr(port, name) for port in topology.ports]
    records["refuses_senders"] = [port.when_full != "drop" for port in topology.ports]
    records["tells_congestion"] = [port.when_full == "congestion" for port in topology.ports]
    records["obeys"] = NO_PORT
    for port, feeders in topology.feeders().items():
        records["obeys"][feeders] = port


def _flows(scenario: Scenario, routes: Sequence[Route], numbers: RandomNumbers) -> Array:
    records, profile = np.zeros(len(scenario.flows), FLOW), scenario.profile
    records["stream"], records["losses"], records["jitter"] = numbers.sources, numbers.losses, numbers.jitters
    records["last_kept_s"] = -np.inf
    records["entry_hop"] = [route.out.index(route.entry) for route in routes]
    records["leaving_hop"] = [route.out.index(route.leaving) for route in routes]
    for name in SAID:
        records[name] = [getattr(flow, name) for flow in scenario.flows]
    records["data_bytes"] = records["packet_bytes"]
    for record, flow in zip(records, scenario.flows, strict=True):
        if isinstance(flow, TcpFlow):
            record["is_tcp"], record["deadline_s"] = True, tournament.NEVER
            record["data_bytes"], record["syn_bytes"] = segment_bytes(flow, profile)
            record["ack_bytes"] = profile.ack_bytes
    return records


def _paths(routes: Sequence[Route]) -> Array:
    ways = [way for route in routes for way in route.ways()]
    paths = np.full((len(ways), max(map(len, ways)) + 1), END_OF_PATH, np.int64)
    for path, way in zip(paths, ways, strict=True):
        path[: len(way)] = way
    return paths
