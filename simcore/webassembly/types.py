"""The types of a network that has it all: one module, compiled for them, runs every scenario of a page."""

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simcore.compiled.layout import World, world_of
from simcore.compiled.records import records_of_impairments
from simcore.network.topology import topology_of
from simcore.results.log import EVERYTHING
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.headers.registry import OPTIONAL, OPTIONS
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.slow_start.registry import CHOICES, SLOW_STARTS, STANDARD
from simcore.rules.variants import VARIANTS
from simcore.scenario.profiles import PROFILES
from simcore.scenario.scenario import Scenario

Array = npt.NDArray[Any]

WIDEST_WINDOW: Final = 200  # packets: what the types have room for
LINK: Final = {"rate_mbps": 1.0, "delay_ms": 1.0}


class TooLargeError(ValueError):
    """A scenario has more of something than the universal types have room for."""


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
    """Records with the fields of all of these, each as the first has it that has it."""
    fields: dict[str, np.dtype[Any]] = {}
    for dtype in types:
        for name, said in (dtype.fields or {}).items():
            fields.setdefault(name, said[0])
    return np.dtype([*fields.items()], align=True)


def every_kind(profile: str = "rfc") -> Scenario:
    """Senders of each variant and slow start, all options, the widest window, two sources and two disciplines.

    Types for several sources are those for all; so are those for several disciplines if one of them has a timer.
    """
    common = {"packet_bytes": 1000, "start_s": 0.0, "stop_s": 1.0}
    timed = next(name for name, rules in DISCIPLINES.items() if rules.timer_expired)
    onward = [{**LINK, "queue": "codel"}]
    tcp: list[dict[str, object]] = [
        {"kind": "tcp", "variant": name, "window_packets": WIDEST_WINDOW, "ecn": variant.recovery.knows_ecn, **common}
        for name, variant in VARIANTS.items()
    ]
    stack = PROFILES[profile].stack
    tcp += [{**tcp[0], "options": [name]} for name in OPTIONAL if stack in OPTIONS[name].stacks]
    openings = [name for name in CHOICES if name != STANDARD and stack in SLOW_STARTS[name].stacks]
    tcp += [{**tcp[0], "slow_start": name} for name in openings]
    cbr = {"kind": "udp", "source": "cbr", "rate_mbps": 1.0, **common}
    replay = {"kind": "udp", "source": "replay", "times_s": [0.0], **common}
    link = {**LINK, "queue": timed, "buffer_packets": 1}
    return Scenario.model_validate(
        {"profile": profile, "end_s": 1.0, "bottleneck": link, "onward": onward, "flows": [*tcp, cbr, replay]}
    )


def typed(array: Array, dtype: np.dtype[Any], name: str) -> Array:
    """The same records with the fields of a type that has them all; what they lack, and what lies between, is zero.

    Raises TooLargeError for an array that is longer than the type's.
    """
    if array.dtype == dtype:
        return array
    records = np.zeros(array.shape, dtype)
    if dtype.names:
        _fill(records, array, name)
    else:
        records[...] = array
    return records


def _fill(records: Array, array: Array, name: str) -> None:
    for field in array.dtype.names or ():
        path = f"{name}.{field}"
        if field not in (records.dtype.names or ()):
            raise TooLargeError(f"{path}: the page has no room for it")
        own, wanted = array[field], records[field]
        if own.dtype.names is not None:
            _fill(wanted, own, path)
        elif own.shape[array.ndim :] > wanted.shape[array.ndim :]:
            raise TooLargeError(f"{path}: {own.shape[-1]} places, and the page has {wanted.shape[-1]}")
        elif own.ndim > array.ndim:
            wanted[..., : own.shape[-1]] = own
        else:
            wanted[...] = own
