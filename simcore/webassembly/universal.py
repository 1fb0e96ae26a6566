"""A world with the types that any network needs: one module, compiled for them, runs every scenario of a page.

The compiled engine makes types for each kind of network, because what a network lacks then costs nothing. A page
compiles once and loads little: it takes the types of a network that has it all.
"""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.compiled import leaves, tournament
from simcore.compiled.layout import END_OF_PATH, NO_QUEUE, ROWS_A_PACKET, Made, World, world_of
from simcore.compiled.records import records_of_queues, records_of_streams
from simcore.network.queues import Queue, queues_of
from simcore.network.states import segment_bytes
from simcore.network.streams import random_numbers
from simcore.network.topology import topology_of
from simcore.results.log import EVERYTHING, Recording
from simcore.rules.queues import waiting
from simcore.scenario.flows import TcpFlow
from simcore.scenario.links import RowLink
from simcore.scenario.scenario import Scenario
from simcore.webassembly.rows import impairments_of, states_of
from simcore.webassembly.types import TooLargeError, kinds, typed

Array = npt.NDArray[Any]

STANDING: Final = 1024  # packets that wait in a discipline's queue: the types' shortest arrays have so many places
# Room in a world of `roomy`: packets on and in front of a link, packets that one event may send.
RING, BURST = 1 << 14, 256
PLACES: Final = waiting.arrays(STANDING, 0)  # only ever copied into records
BEHIND: Final = np.array(PLACES["behind"])
LOG: Final = ("packets", "events", "updates")
ROWS: Final = 4096  # of these tables at first


def universal(scenario: Scenario) -> World:
    """The world of a scenario in the types of `kinds`, with little room for its log.

    Raises TooLargeError for a scenario whose arrays are longer.
    """
    topology = topology_of(scenario)
    ports = list(topology.ports)
    for k, queue in enumerate(_queues(scenario)):
        ports[2 * k] = ports[2 * k]._replace(queue=queue)
    world = world_of(scenario, topology._replace(ports=ports), EVERYTHING, MADE)
    arrays = {name: typed(array, kinds()[name], name) for name, array in world._asdict().items()}
    own = tournament.leaves_for(leaves.count(len(scenario.flows), len(scenario.row()), delays=True, queues=True))
    return World(**arrays)._replace(host_leaves=own, host_winner=tournament.winners_for(own))


def _log(scenario: Scenario, recording: Recording, least: int) -> Sequence[Array]:
    return [np.zeros(ROWS, kinds()[name]) for name in LOG]


MADE: Final = Made(states_of, impairments_of, records_of_queues, _log)
"""How the world is made: what comes in other types is brought into those of `kinds`."""


def _queues(scenario: Scenario) -> list[Queue | None]:
    """The disciplines of the row with STANDING places each, which is enough, or else TooLargeError."""
    pairs = zip(scenario.row(), queues_of(scenario), strict=True)
    return [queue and _placed(queue, _most_waiting(scenario, link, len(queue.state.behind))) for link, queue in pairs]


def _most_waiting(scenario: Scenario, link: RowLink, places: int) -> int:
    """The most packets that can wait, and the one that arrives.

    A queue with a limit in bytes has places for SYNs alone. There are few of them: one a flow, and another after each
    timeout, of which none is shorter than the first (RFC 6298, section 5.5).
    """
    limit_bytes = getattr(link, "buffer_bytes", None)
    if limit_bytes is None:
        return places
    tcp = [flow for flow in scenario.flows if isinstance(flow, TcpFlow)]
    data = [segment_bytes(flow, scenario.profile).data for flow in tcp]
    datagrams = [flow.packet_bytes for flow in scenario.flows if flow not in tcp]
    least_rto_s = min(scenario.profile.initial_rto_s, scenario.profile.max_rto_s)
    syns = len(tcp) * (1 + int(scenario.end_s / least_rto_s))
    return min(places, waiting.slots_for(limit_bytes, min(data + datagrams)) + syns)


def _placed(queue: Queue, most: int) -> Queue:
    """The same empty queue with STANDING places."""
    if most > STANDING:
        raise TooLargeError(f"{most} packets may wait, and the page has room for {STANDING}")
    last = array("q", queue.state.last)
    last[waiting.FREE] = STANDING - 1
    of_places = {name: PLACES[name] for name in ("behind", "size", "ecn", "came_s")}
    return queue._replace(state=replace(queue.state, **of_places, last=last))


class Room(NamedTuple):
    """What the worlds of a page have ports for, whether a scenario has it or not."""

    links: int  # of the row
    hosts: int
    access: bool  # links of the flows' own
    exits: bool

    def numbers(self, scenario: Scenario) -> list[int]:
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


def room_of(scenario: Scenario) -> Room:
    """The room that a scenario itself needs."""
    access, exits = ([getattr(flow, side) for flow in scenario.flows] for side in ("access", "exit"))
    return Room(len(scenario.row()), len(scenario.hosts), any(access), any(exits))


def roomy(world: World, scenario: Scenario, room: Room) -> World:
    """The same world with room that does not depend on the scenario, so that all of a page lie in memory alike.

    A run is the same in it: only the ports' numbers are others, and when it asks for more room is another moment. Links
    that the row lacks are there as the first, and no packet comes to them.
    """
    numbers, row, flows = room.numbers(scenario), 2 * len(scenario.row()), len(scenario.flows)
    run, ports = np.zeros(1, world.run.dtype), np.zeros(room.ports(flows), world.ports.dtype)
    run[:] = world.run
    run["burst"], run["spare_events"] = BURST, ROWS_A_PACKET * BURST + room.links * STANDING
    ports["free_s"], ports["queue"] = -np.inf, NO_QUEUE
    ports[numbers] = world.ports
    ports[row : 2 * room.links] = np.resize(world.ports[:2], 2 * room.links - row)
    queues = _in_room(world.queues, ports["queue"][: 2 * room.links : 2])
    for k, port in enumerate(ports[: 2 * room.links : 2]):
        if port["queue"] != NO_QUEUE:
            port["queue"], port["standing"] = k, k * STANDING
    ports["mask"], ports["start"] = RING - 1, RING * np.arange(len(ports))
    link_leaves = tournament.leaves_for(2 * len(ports))
    host_leaves = tournament.leaves_for(leaves.count(flows, room.links, delays=True, queues=True))
    return world._replace(
        run=run, ports=ports, queues=queues, paths=_paths(world, numbers, room),
        ring=np.zeros(RING * len(ports), world.ring.dtype),
        standing=np.zeros(room.links * STANDING, world.standing.dtype),
        link_leaves=link_leaves, link_winner=tournament.winners_for(link_leaves),
        host_leaves=host_leaves, host_winner=tournament.winners_for(host_leaves),
    )  # fmt: skip


def part(scenario: Scenario, room: Room, name: str) -> Array:
    """One array of `roomy(universal(scenario))` alone, of those in `PARTS`: it costs less than them all."""
    if name == "queues":
        return _part_of_queues(scenario, room)
    numbers = random_numbers(scenario)
    if name == "streams":
        return typed(records_of_streams(numbers), kinds()[name], name)
    return states_of(scenario, numbers.phases_s)[PARTS.index(name)]


PARTS: Final = ("tcp", "sinks", "sources", "streams", "queues")


def _part_of_queues(scenario: Scenario, room: Room) -> Array:
    queues = _queues(scenario)
    own = [queue for queue in queues if queue]
    numbers = np.where([bool(queue) for queue in queues], np.cumsum([bool(queue) for queue in queues]) - 1, NO_QUEUE)
    further = np.resize(numbers[:1], room.links - len(numbers))
    return _in_room(typed(records_of_queues(own), kinds()["queues"], "queues"), np.concatenate([numbers, further]))


def _in_room(queues: Array, numbers: Array) -> Array:
    """The queues of links with these numbers of queues."""
    placed = np.zeros(len(numbers), queues.dtype)
    placed["behind"] = BEHIND  # drop-tail does not look: the same in all worlds
    for k, number in enumerate(numbers):
        if number != NO_QUEUE:
            placed[k] = queues[number]
    return placed


def _paths(world: World, numbers: Sequence[int], room: Room) -> Array:
    """The flows' ways through the renumbered ports, as long as a way through all of the room."""
    paths = np.full((len(world.paths), room.links + 3), END_OF_PATH, world.paths.dtype)
    paths[:, : world.paths.shape[1]] = np.where(
        world.paths == END_OF_PATH, END_OF_PATH, np.take(numbers, world.paths, mode="clip")
    )
    return paths
