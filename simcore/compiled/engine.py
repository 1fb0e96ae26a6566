"""Run a scenario on the compiled loop."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from simcore import scenario as sc
from simcore.compiled import jit, loop
from simcore.compiled.layout import World, routes_of, world_of
from simcore.compiled.memory import roomier
from simcore.log import FORWARD, Log, Outcome, Recording
from simcore.rules import waiting
from simcore.rules.fifo import NOBODY
from simcore.totals import MEANINGS, Totals

EVENTS_A_CALL = 2_000_000  # about 0.1 s, after which Python may answer an interrupt


def run(scenario: sc.Scenario, recording: Recording, progress: Callable[[float], None] | None) -> Outcome:
    """Simulate until `end_s`, or until the user interrupts it: then what was simulated so far is intact."""
    run_events = jit.compiled_loop()
    world = world_of(scenario, recording)
    until_s = scenario.end_s
    try:
        while (state := run_events(world, EVENTS_A_CALL)) != loop.FINISHED:
            if state == loop.CROWDED:
                world = roomier(world)
            if progress:
                progress(float(world.run["now"][0]))
    except KeyboardInterrupt:
        until_s = float(world.run["now"][0])
    return Outcome(log_of(world), totals_of(world), remaining_of(world), until_s)


def log_of(world: World) -> Log:
    """What has been recorded, as views of the world's tables."""
    run = world.run[0]
    tables = {
        "packet": world.packets[: run["uid"] if run["recording"] else 0],
        "event": world.events[: run["event"]],
        "update": world.updates[: run["update"]],
    }
    columns = {f"{name}_{field}": table[field] for name, table in tables.items() for field in table.dtype.names or ()}
    return Log(routes_of(world), **columns)


def totals_of(world: World) -> Totals:
    """The flows' counters, and what of each flow is still at the bottleneck."""
    held = [*world.ring["flow"][_held(world.ports[FORWARD])], *world.standing["flow"][_standing(world)]]
    in_flight = np.bincount(np.array(held, np.int64), minlength=len(world.flows))
    counted = {name: world.flows[name].copy() for name in MEANINGS if name in (world.flows.dtype.names or ())}
    return counted | {"acknowledged": np.maximum(world.tcp["highest_ack"], 0), "in_flight": in_flight}


def remaining_of(world: World) -> dict[int, list[int]]:
    """The packets that are still in a queue or on a link, by link."""
    held = {number: world.ring["uid"][_held(port)].tolist() for number, port in enumerate(world.ports)}
    return held | {FORWARD: held[FORWARD] + world.standing["uid"][_standing(world)].tolist()}


def _held(port: Any) -> npt.NDArray[np.int64]:
    """Where in the ring the packets of a port stand."""
    places: npt.NDArray[np.int64] = np.arange(port["arrived"], port["offered"]) & port["mask"]
    return places + int(port["start"])


def _standing(world: World) -> list[int]:
    """The slots of the packets that wait for the bottleneck's discipline, if it has one."""
    if "behind" not in (world.queue.dtype.names or ()):
        return []
    queue = world.queue[0]
    free, slot = set(), queue["first"][waiting.FREE]
    while slot != NOBODY:
        free.add(slot)
        slot = queue["behind"][slot]
    return [slot for slot in range(len(world.standing)) if slot not in free]
