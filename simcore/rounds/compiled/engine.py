"""Run a scenario of the round model as machine code."""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import simcore.rounds
from simcore.compiled.machine_code import CACHE, loop_of, this_machine
from simcore.compiled.sources import sources_hash
from simcore.rounds.compiled import loop
from simcore.rounds.compiled.layout import World, world_of
from simcore.rounds.scenario import RoundsScenario

Array = npt.NDArray[Any]

DRAWS: Final = 8192  # at a time
ROUNDS_A_CALL: Final = 100_000  # about 0.1 s, after which Python may answer an interrupt


def run(scenario: RoundsScenario, columns: Mapping[str, npt.DTypeLike]) -> dict[str, Array]:
    """Simulate all rounds; return what happened, by column, a row a sender and a column a round."""
    run_rounds, numbers = _loop(), _generator(scenario.seed)
    world = world_of(scenario, numbers.random_sample(DRAWS), np.dtype([*columns.items()]))
    while (state := run_rounds(world, ROUNDS_A_CALL)) != loop.FINISHED:
        if state == loop.DRAWN_OUT:
            left = world.draws[world.run["drawn"][0] :]
            world = world._replace(draws=np.concatenate([left, numbers.random_sample(DRAWS)]))
            world.run["drawn"] = 0
    rows = world.rows.reshape(len(scenario.senders), scenario.rounds)
    return {name: np.ascontiguousarray(rows[name]) for name in columns}


def _generator(seed: int) -> np.random.RandomState:
    """numpy's copy of Python's generator: `random_sample` gives what so many calls of `Random.random` do."""
    _, state, _ = Random(seed).getstate()
    generator = np.random.RandomState()
    generator.set_state(("MT19937", np.array(state[:-1], np.uint32), state[-1], 0, 0.0))
    return generator


@cache
def _loop() -> Callable[[World, int], int]:
    return loop_of(CACHE / f"{sources_hash()}-{_own_sources()}", _translated)


def _translated(world: World) -> str:
    from simcore.compiled import object_code  # only where it is not in the cache

    return object_code.translated(world, this_machine(), loop.run_rounds)


def _own_sources() -> str:
    """Names what the loop is made from, beside the translator."""
    (folder,) = simcore.rounds.__path__
    texts = (path.read_bytes() for path in sorted(Path(folder).rglob("*.py")))
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
