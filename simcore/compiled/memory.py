"""More room for a world that runs low: the loop stops before anything is lost, and goes on in the larger one."""

from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.compiled.layout import ROWS_A_PACKET, World

Array = npt.NDArray[Any]


def roomier(world: World) -> World:
    """The same world, with at least twice the space wherever it is nearly full. The old one is left as it is."""
    run = world.run.copy()
    rows = ROWS_A_PACKET * int(run["burst"][0])
    run["crowded"] = False
    ports, ring = _with_longer_rings(world)
    packets = int(run["uid"][0]) if run["recording"][0] else 0
    return world._replace(
        run=run,
        ports=ports,
        ring=ring,
        packets=_lengthened(world.packets, packets + rows),
        events=_lengthened(world.events, int(run["event"][0]) + int(run["spare_events"][0])),
        updates=_lengthened(world.updates, int(run["update"][0]) + rows),
        states=_lengthened(world.states, int(run["state"][0]) + rows),
        disciplines=_lengthened(world.disciplines, int(run["discipline"][0]) + rows),
    )


def _lengthened(table: Array, needed: int) -> Array:
    if needed <= len(table):
        return table
    longer = np.empty(2 * max(needed, len(table)), table.dtype)
    longer[: len(table)] = table
    return longer


def _with_longer_rings(world: World) -> tuple[Array, Array]:
    """The ports and their rings, anew if one of them is nearly full."""
    ports, burst = world.ports, int(world.run["burst"][0])
    needed = ports["offered"] - ports["arrived"] + burst
    lengths = ports["mask"] + 1
    if (needed <= lengths).all():
        return ports, world.ring
    longer = ports.copy()
    longer["mask"] = np.where(needed <= lengths, lengths, 2 * lengths) - 1
    longer["start"] = np.cumsum(longer["mask"] + 1) - (longer["mask"] + 1)
    ring = np.zeros(int((longer["mask"] + 1).sum()), world.ring.dtype)
    for old, new in zip(ports, longer, strict=True):
        numbers = np.arange(old["arrived"], old["offered"])
        ring[new["start"] + (numbers & new["mask"])] = world.ring[old["start"] + (numbers & old["mask"])]
    return longer, ring
