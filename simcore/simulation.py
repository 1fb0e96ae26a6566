"""Run a scenario on an engine."""

from collections.abc import Callable
from typing import Final

import xarray as xr

from simcore import conservation, dataset, process
from simcore.conservation import Remaining
from simcore.log import Log
from simcore.scenario import Scenario

Engine = Callable[[Scenario], tuple[Log, Remaining]]


def _compiled(scenario: Scenario) -> tuple[Log, Remaining]:
    """The compiled engine, imported when it is first asked for: numba takes half a second to load."""
    from simcore.compiled import engine

    return engine.run(scenario)


ENGINES: Final[dict[str, Engine]] = {"process": process.run, "compiled": _compiled}


def simulate(scenario: Scenario, engine: str = "process") -> xr.Dataset:
    """Simulate `scenario` and return its Dataset (`simcore.tables` says what is in it).

    `process` is the SimPy process model, `compiled` the same a hundred times faster; their Datasets are equal.
    Raises ValueError for an engine that doesn't exist, ConservationError if the engine lost or made a packet.
    """
    if engine not in ENGINES:
        raise ValueError(f"engine: {engine!r} is not known; allowed: {', '.join(ENGINES)}")
    log, remaining = ENGINES[engine](scenario)
    conservation.check(log, remaining)
    return dataset.build(scenario, engine, log, remaining)
