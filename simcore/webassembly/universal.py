"""A world with the types that any network needs: one module, compiled for them, runs every scenario of a page.

The compiled engine makes types for each kind of network, because what a network lacks then costs nothing. A page
compiles once and loads little: it takes the types of a network that has it all.
"""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.compiled import tournament
from simcore.compiled.layout import END_OF_PATH, NO_QUEUE, ROWS_A_PACKET, World, world_of
from simcore.compiled.records import records_of_impairments
from simcore.network.queues import Queue
from simcore.network.states import segment_bytes
from simcore.network.topology import Topology, topology_of
from simcore.results.log import EVERYTHING
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.queues import waiting
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.variants import VARIANTS
from simcore.scenario import scenario as sc
from simcore.scenario.links import RowLink

Array = npt.NDArray[Any]

WIDEST_WINDOW: Final = 200  # packets: what the types have room for
STANDING: Final = 1024  # packets that wait in a discipline's queue: the types' shortest arrays have so many places
# Room in a world of `roomy`: packets on and in front of a link, packets that one event may send.
RING, BURST = 1 << 14, 256
LOG: Final = ("packets", "events", "updates")
ROWS: Final = 4096  # of these tables at first
LINK: Final = {"rate_mbps": 1.0, "delay_ms": 1.0}


class TooLargeError(ValueError):
    """A scenario has more of something than the universal types have room for."""


def universal(scenario: sc.Scenario) -> World:
    """The world of a scenario in the types of `kinds`, with little room for its log.

    Raises TooLargeError for a scenario whose arrays are longer.
    """
    world = world_of(scenario, _with_places(topology_of(scenario), scenario), EVERYTHING)
    world = world._replace(impairments=records_of_impairments(scenario, special=True))
    leaves = tournament.leaves_for(4 * len(scenario.flows) + len(scenario.row()))
    arrays = {name: array for name, array in world._asdict().items() if name not in LOG}
    typed = {name: _typed(array, kinds()[name], name) for name, array in arrays.items()}
    log = {name: np.zeros(ROWS, kinds()[name]) for name in LOG}
    return World(**typed, **log)._replace(host_leaves=leaves, host_winner=tournament.winners_for(leaves))


def _with_places(topology: Topology, scenario: sc.Scenario) -> Topology:
    """The same with STANDING places in each discipline's queue, which is enough, or else TooLargeError."""
    ports = list(topology.ports)
    for k, link in enumerate(scenario.row()):
        queue = ports[2 * k].queue
        if queue is not None:
            most = _most_waiting(scenario, link, len(queue.state.behind))
            ports[2 * k] = ports[2 * k]._replace(queue=_placed(queue, most))
    return topology._replace(ports=ports)


def _most_waiting(scenario: sc.Scenario, link: RowLink, places: int) -> int:
    """The most packets that can wait, and the one that arrives.

    A queue with a limit in bytes has places for SYNs alone. There are few of them: one a flow, and another after each
    timeout, of which none is shorter than the first (RFC 6298, section 5.5).
    """
    limit_bytes = getattr(link, "buffer_bytes", None)
    if limit_bytes is None:
        return places
    tcp = [flow for flow in scenario.flows if isinstance(flow, sc.TcpFlow)]
    data = [segment_bytes(flow, scenario.profile).data for flow in tcp]
    datagrams = [flow.packet_bytes for flow in scenario.flows if flow not in tcp]
    least_rto_s = min(scenario.profile.initial_rto_s, scenario.profile.max_rto_s)
    syns = len(tcp) * (1 + int(scenario.end_s / least_rto_s))
    return min(places, waiting.slots_for(limit_bytes, min(data + datagrams)) + syns)


def _placed(queue: Queue, most: int) -> Queue:
    """The same empty queue with STANDING places."""
    if most > STANDING:
        raise TooLargeError(f"{most} packets may wait, and the page has room for {STANDING}")
    places, last = waiting.arrays(STANDING, 0), array("q", queue.state.last)
    last[waiting.FREE] = STANDING - 1
    of_places = {name: places[name] for name in ("behind", "size", "ecn", "came_s")}
    return queue._replace(state=replace(queue.state, **of_places, last=last))


class Room(NamedTuple):
    """What the worlds of a page have ports for, whether a scenario has it or not."""

    links: int  # of the row
    hosts: int
    access: bool  # links of the flows' own
    exits: bool

    def numbers(self, scenario: sc.Scenario) -> list[int]:
        """The port in this room of each port of a scenario: one has the same number whatever else there is."""
        hosts, row = 2 * self.links, 2 * len(scenario.row())
        numbers = [*range(row), *range(hosts, hosts + 2 * len(scenario.hosts))]
        for k, flow in enumerate(scenario.flows):
            first = hosts + 2 * self.hosts + 2 * (self.access + self.exits) * k
            numbers += [first, first + 1] * (flow.access is not None)
            numbers += [first + 2 * self.access, first + 2 * self.access + 1] * (flow.exit is not None)
        return numbers

    def ports(self, flows: int) -> int:
        """How many there are."""
        return 2 * (self.links + self.hosts) + 2 * (self.access + self.exits) * flows


def room_of(scenario: sc.Scenario) -> Room:
    """The room that a scenario itself needs."""
    access, exits = ([getattr(flow, side) for flow in scenario.flows] for side in ("access", "exit"))
    return Room(len(scenario.row()), len(scenario.hosts), any(access), any(exits))


def roomy(world: World, scenario: sc.Scenario, room: Room) -> World:
    """The same world with room that does not depend on the scenario, so that all of a page lie in memory alike.

    A run is the same in it: only the ports' numbers are others, and when it asks for more room is another moment. Links
    that the row lacks are there as the first, and no packet comes to them.
    """
    numbers, row, flows = room.numbers(scenario), 2 * len(scenario.row()), len(scenario.flows)
    run, ports = _typed(world.run, world.run.dtype, ""), np.zeros(room.ports(flows), world.ports.dtype)
    run["burst"], run["spare_events"] = BURST, ROWS_A_PACKET * BURST + room.links * STANDING
    ports["free_s"], ports["queue"] = -np.inf, NO_QUEUE
    ports[numbers] = world.ports
    ports[row : 2 * room.links] = np.resize(world.ports[:2], 2 * room.links - row)
    queues = np.zeros(room.links, world.queues.dtype)
    queues["behind"] = waiting.arrays(STANDING, 0)["behind"]  # drop-tail does not look: the same in all worlds
    for k, port in enumerate(ports[: 2 * room.links : 2]):
        if port["queue"] != NO_QUEUE:
            queues[k] = world.queues[port["queue"]]
            port["queue"], port["standing"] = k, k * STANDING
    ports["mask"], ports["start"] = RING - 1, RING * np.arange(len(ports))
    link_leaves = tournament.leaves_for(2 * len(ports))
    host_leaves = tournament.leaves_for(4 * flows + room.links)
    return world._replace(
        run=run, ports=ports, queues=queues, paths=_paths(world, numbers, room),
        ring=np.zeros(RING * len(ports), world.ring.dtype),
        standing=np.zeros(room.links * STANDING, world.standing.dtype),
        link_leaves=link_leaves, link_winner=tournament.winners_for(link_leaves),
        host_leaves=host_leaves, host_winner=tournament.winners_for(host_leaves),
    )  # fmt: skip


def _paths(world: World, numbers: Sequence[int], room: Room) -> Array:
    """The flows' ways through the renumbered ports, as long as a way through all of the room."""
    paths = np.full((len(world.paths), room.links + 3), END_OF_PATH, world.paths.dtype)
    paths[:, : world.paths.shape[1]] = np.where(
        world.paths == END_OF_PATH, END_OF_PATH, np.take(numbers, world.paths, mode="clip")
    )
    return paths


def kinds() -> dict[str, np.dtype[Any]]:
    """The type of each array's elements: those of a network that needs them all, of what is registered now."""
    return _kinds(tuple(CONTROLS))


@cache
def _kinds(controls: tuple[str, ...]) -> dict[str, np.dtype[Any]]:
    """A sender's rules are those of its profile's stack: its record has the fields of both."""
    first, other = (_world_of_every_kind(profile) for profile in ("rfc", "linux"))
    types = {name: array.dtype for name, array in first._asdict().items()}
    return types | {"tcp": _united(types["tcp"], other.tcp.dtype)}


def _world_of_every_kind(profile: str) -> World:
    scenario = every_kind(profile)
    world = world_of(scenario, topology_of(scenario), EVERYTHING)
    return world._replace(impairments=records_of_impairments(scenario, special=True))


def _united(*types: np.dtype[Any]) -> np.dtype[Any]:
    """Records with the fields of all of these."""
    fields = {name: said[0] for dtype in types for name, said in (dtype.fields or {}).items()}
    return np.dtype([*fields.items()], align=True)


def every_kind(profile: str = "rfc") -> sc.Scenario:
    """A scenario with a sender of each variant, the widest window, two kinds of sources, and two disciplines.

    Types for several sources are those for all; so are those for several disciplines if one of them has a timer.
    """
    common = {"packet_bytes": 1000, "start_s": 0.0, "stop_s": 1.0}
    timed = next(name for name, rules in DISCIPLINES.items() if rules.timer_expired)
    onward = [{**LINK, "queue": "codel"}]
    tcp = [{"kind": "tcp", "variant": name, "window_packets": WIDEST_WINDOW, **common} for name in VARIANTS]
    cbr = {"kind": "udp", "source": "cbr", "rate_mbps": 1.0, **common}
    replay = {"kind": "udp", "source": "replay", "times_s": [0.0], **common}
    link = {**LINK, "queue": timed, "buffer_packets": 1}
    return sc.Scenario.model_validate(
        {"profile": profile, "end_s": 1.0, "bottleneck": link, "onward": onward, "flows": [*tcp, cbr, replay]}
    )


def _typed(array: Array, dtype: np.dtype[Any], name: str) -> Array:
    """The same records with the fields of a type that has them all; what they lack, and what lies between, is zero."""
    typed = np.zeros(array.shape, dtype)
    if dtype.names:
        _fill(typed, array, name)
    else:
        typed[...] = array
    return typed


def _fill(typed: Array, array: Array, name: str) -> None:
    for field in array.dtype.names or ():
        path = f"{name}.{field}"
        if field not in (typed.dtype.names or ()):
            raise TooLargeError(f"{path}: the page has no room for it")
        own, wanted = array[field], typed[field]
        if own.dtype.names:
            _fill(wanted, own, path)
        elif own.shape[array.ndim :] > wanted.shape[array.ndim :]:
            raise TooLargeError(f"{path}: {own.shape[-1]} places, and the page has {wanted.shape[-1]}")
        elif own.ndim > array.ndim:
            wanted[..., : own.shape[-1]] = own
        else:
            wanted[...] = own
