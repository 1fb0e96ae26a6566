"""Run a scenario on the compiled loop."""

import numpy as np

from simcore import scenario as sc
from simcore.compiled import jit, loop
from simcore.compiled.layout import World, routes_of, world_of
from simcore.compiled.memory import roomier
from simcore.conservation import Remaining
from simcore.log import Log

EVENTS_A_CALL = 2_000_000  # about 0.1 s, after which Python may answer an interrupt


def run(scenario: sc.Scenario) -> tuple[Log, Remaining]:
    """Simulate until `end_s`; return what happened and what is still on its way."""
    run_events = jit.compiled_loop()
    world = world_of(scenario, recording=True)
    while (state := run_events(world, EVENTS_A_CALL)) != loop.FINISHED:
        if state == loop.CROWDED:
            world = roomier(world)
    return log_of(world), remaining_of(world)


def log_of(world: World) -> Log:
    """What has been recorded, as views of the world's tables."""
    run = world.run[0]
    tables = {
        "packet": world.packets[: run["uid"]],
        "event": world.events[: run["event"]],
        "update": world.updates[: run["update"]],
    }
    columns = {f"{name}_{field}": table[field] for name, table in tables.items() for field in table.dtype.names or ()}
    return Log(routes_of(world), **columns)


def remaining_of(world: World) -> Remaining:
    """The packets that are still in a queue or on a link, by link."""

    remaining = {}
    for number, port in enumerate(world.ports):
        held = np.arange(port["arrived"], port["offered"]) & port["mask"]
        remaining[number] = world.ring["uid"][port["start"] + held].tolist()
    return remaining
