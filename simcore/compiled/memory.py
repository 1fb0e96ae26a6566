"""More room for a world that runs low: the loop stops before anything is lost, and goes on in the larger one."""

from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.compiled.layout import ROWS_A_PACKET, World

Array = npt.NDArray[Any]


def roomier(world: World) -> World:
    """The same world, with at least twice the space wherever it is nearly full."""
    run = world.run[0]
    rows = ROWS_A_PACKET * int(run["burst"])
    run["crowded"] = False
    return world._replace(
        packets=_lengthened(world.packets, int(run["uid"]) + rows),
        events=_lengthened(world.events, int(run["event"]) + rows),
        updates=_lengthened(world.updates, int(run["update"]) + rows),
        ring=_with_longer_rings(world),
    )


def _lengthened(table: Array, needed: int) -> Array:
    if needed <= len(table):
        return table
    longer = np.empty(2 * max(needed, len(table)), table.dtype)
    longer[: len(table)] = table
    return longer


def _with_longer_rings(world: World) -> Array:
    """The rings anew where one is nearly full; the ports are told where theirs begins now."""
    ports, burst = world.ports, int(world.run["burst"][0])
    held = ports["offered"] - ports["arrived"] + burst
    if (held <= ports["mask"]).all():
        return world.ring
    parts, start = [], 0
    for port, needed in zip(ports, held, strict=True):
        length = int(port["mask"]) + 1
        longer = length if needed < length else 2 * length
        part = np.zeros(longer, world.ring.dtype)
        numbers = np.arange(port["arrived"], port["offered"])
        part[numbers % longer] = world.ring[port["start"] + numbers % length]
        port["start"], port["mask"] = start, longer - 1
        start += longer
        parts.append(part)
    return np.concatenate(parts)
