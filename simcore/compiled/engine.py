"""Run a scenario on the compiled loop."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.compiled import loop, machine_code
from simcore.compiled.features import RECORDING
from simcore.compiled.layout import NO_QUEUE, World, world_of
from simcore.compiled.memory import roomier
from simcore.compiled.records import rules_at
from simcore.network.topology import topology_of
from simcore.results.log import Log, Outcome, Recording, Route
from simcore.results.totals import MEANINGS, Totals
from simcore.rules.queues import waiting
from simcore.rules.queues.fifo import NOBODY
from simcore.scenario.scenario import Scenario

Array = npt.NDArray[Any]

EVENTS_A_CALL = 2_000_000  # about 0.1 s, after which Python may answer an interrupt


def run(scenario: Scenario, recording: Recording, progress: Callable[[float], None] | None) -> Outcome:
    """Simulate until `end_s`, or until the user interrupts it: then what was simulated so far is intact."""
    run_events = machine_code.compiled_loop()
    topology = topology_of(scenario)
    world = world_of(scenario, topology, recording)
    until_s = scenario.end_s
    try:
        while (state := run_events(world, EVENTS_A_CALL)) != loop.FINISHED:
            if state == loop.CROWDED:
                world = roomier(world)
            if progress:
                progress(float(world.run["now"][0]))
    except KeyboardInterrupt:
        until_s = float(world.run["now"][0])
    return Outcome(log_of(world, topology.routes), totals_of(world), remaining_of(world), until_s)


def log_of(world: World, routes: Sequence[Route]) -> Log:
    """What has been recorded, as views of the world's tables."""
    run = world.run[0]
    tables = {
        "packet": world.packets[: run["uid"] if run["recording"] else 0],
        "event": world.events[: run["event"]],
        "update": world.updates[: run["update"]],
    }
    columns = {f"{name}_{field}": table[field] for name, table in tables.items() for field in table.dtype.names or ()}
    states = _recorded("state", world.states[: run["state"]])
    disciplines = _recorded("discipline", world.disciplines[: run["discipline"]])
    return Log(dict(enumerate(routes, start=1)), **columns, states=states, disciplines=disciplines)


def _recorded(table: str, rows: Array) -> dict[str, Array]:
    """What rules have recorded of their states, by the names of the columns."""
    if not RECORDING.is_in(rows.dtype):
        return {}
    s, owner, *places = (name for name in rows.dtype.names or () if name != RECORDING.field[0])
    columns = {f"{table}_{name}": rows[name] for name in (s, owner)}
    for place in places:
        rules = rules_at(place) if table == "state" else place
        columns |= {f"{table}_{rules}_{field}": rows[place][field] for field in rows[place].dtype.names or ()}
    return columns


def totals_of(world: World) -> Totals:
    """The flows' counters, and what of each flow is still in the row of bottlenecks."""
    row = range(0, int(world.run["row_ports"][0]), 2)
    flows = np.concatenate([packets["flow"] for port in row for packets in _inside(world, port)])
    in_flight = np.bincount(flows, minlength=len(world.flows))
    tables = {name: table for table in (world.flows, world.tcp) for name in table.dtype.names or ()}
    counted = {name: tables[name][name].copy() for name in MEANINGS if name in tables}
    return counted | {"acknowledged": np.maximum(world.tcp["highest_ack"], 0), "in_flight": in_flight}


def remaining_of(world: World) -> dict[int, list[int]]:
    """The packets that are still in a queue or on a link, by link."""
    return {
        port: [uid for packets in _inside(world, port) for uid in packets["uid"].tolist()]
        for port in range(len(world.ports))
    }


def _inside(world: World, number: int) -> tuple[Array, Array]:
    """The packets of a port: those in its ring, and those that stand in its discipline's slots."""
    port = world.ports[number]
    places = port["start"] + (np.arange(port["arrived"], port["offered"]) & port["mask"])
    if port["queue"] == NO_QUEUE:
        return world.ring[places], world.standing[:0]
    free = _free_slots(world.queues[port["queue"]])
    return world.ring[places], np.delete(world.standing[port["standing"] :][: port["slots"]], free)


def _free_slots(queue: Any) -> list[int]:
    """The slots in which no packet waits for a discipline."""
    free, slot = [], queue["first"][waiting.FREE]
    while slot != NOBODY:
        free.append(slot)
        slot = queue["behind"][slot]
    return free
