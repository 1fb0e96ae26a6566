"""A world with the types that any network needs: one module, compiled for them, runs every scenario of a page.

The compiled engine makes types for each kind of network, because what a network lacks then costs nothing. A page
compiles once and loads little: it takes the types of a network that has it all.
"""

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simcore.compiled import tournament
from simcore.compiled.layout import ROWS_A_PACKET, World, world_of
from simcore.compiled.records import records_of_impairments
from simcore.network.topology import topology_of
from simcore.results.log import EVERYTHING
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.variants import VARIANTS
from simcore.scenario import scenario as sc

Array = npt.NDArray[Any]

WIDEST_WINDOW: Final = 200  # packets: what the types have room for
# Room in a world of `roomy`: packets on and in front of a link, packets in queues, packets that one event may send.
RING, STANDING, BURST = 1 << 14, 1024, 256
LOG: Final = ("packets", "events", "updates")
ROWS: Final = 4096  # of these tables at first
LINK: Final = {"rate_mbps": 1.0, "delay_ms": 1.0}


class TooLargeError(ValueError):
    """A scenario has more of something than the universal types have room for."""


def universal(scenario: sc.Scenario) -> World:
    """The world of a scenario in the types of `kinds`, with little room for its log.

    Raises TooLargeError for a scenario whose arrays are longer.
    """
    world = world_of(scenario, topology_of(scenario), EVERYTHING)
    world = world._replace(impairments=records_of_impairments(scenario, special=True))
    leaves = tournament.leaves_for(4 * len(scenario.flows) + len(scenario.row()))
    arrays = {name: array for name, array in world._asdict().items() if name not in LOG}
    typed = {name: _typed(array, kinds()[name], name) for name, array in arrays.items()}
    log = {name: np.zeros(ROWS, kinds()[name]) for name in LOG}
    return World(**typed, **log)._replace(host_leaves=leaves, host_winner=tournament.winners_for(leaves))


def roomy(world: World) -> World:
    """The same world with room that does not depend on the scenario, so that all of a page lie in memory alike.

    A run is the same in it: only when it asks for more room is another moment. Raises TooLargeError.
    """
    if len(world.standing) > STANDING:
        raise TooLargeError(f"{len(world.standing)} packets may wait, and the page has room for {STANDING}")
    run, ports = (_typed(array, array.dtype, "") for array in (world.run, world.ports))
    run["burst"], run["spare_events"] = BURST, ROWS_A_PACKET * BURST + STANDING
    ports["mask"], ports["start"] = RING - 1, RING * np.arange(len(ports))
    ring, standing = (np.zeros(n, world.ring.dtype) for n in (RING * len(ports), STANDING))
    return world._replace(run=run, ports=ports, ring=ring, standing=standing)


def kinds() -> dict[str, np.dtype[Any]]:
    """The type of each array's elements: those of a network that needs them all, of what is registered now."""
    return _kinds(tuple(CONTROLS))


@cache
def _kinds(controls: tuple[str, ...]) -> dict[str, np.dtype[Any]]:
    every = every_kind()
    world = world_of(every, topology_of(every), EVERYTHING)
    impairments = records_of_impairments(every, special=True)
    return {name: array.dtype for name, array in world._replace(impairments=impairments)._asdict().items()}


def every_kind() -> sc.Scenario:
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
        {"profile": "rfc", "end_s": 1.0, "bottleneck": link, "onward": onward, "flows": [*tcp, cbr, replay]}
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
