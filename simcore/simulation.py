"""Run a scenario on an engine."""

from collections.abc import Callable
from typing import Final

import xarray as xr

from simcore import conservation, dataset, process
from simcore.log import EVERYTHING, TOTALS, Outcome, Recording
from simcore.scenario import Scenario
from simcore.totals import Totals

Progress = Callable[[float], None]  # told now and then how many seconds are simulated
Engine = Callable[[Scenario, Recording, Progress | None], Outcome]


class SimulationInterrupted(KeyboardInterrupt):
    """The user stopped a run; `dataset` holds what was simulated until then."""

    def __init__(self, partial: xr.Dataset) -> None:
        super().__init__(f"stopped at {partial.attrs['simulated_until_s']} s of simulated time")
        self.dataset = partial


def _compiled(scenario: Scenario, recording: Recording, progress: Progress | None) -> Outcome:
    """The compiled engine, imported when it is first asked for: numba takes a while to load."""
    from simcore.compiled import engine

    return engine.run(scenario, recording, progress)


ENGINES: Final[dict[str, Engine]] = {"process": process.run, "compiled": _compiled}


def simulate(
    scenario: Scenario,
    engine: str = "process",
    recording: Recording = EVERYTHING,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Simulate `scenario` and return its Dataset (`simcore.tables` and `simcore.totals` say what is in it).

    `process` is the SimPy process model, `compiled` the same a hundred times faster; their Datasets are equal.
    `recording` says what is kept beside the totals, `progress` is called now and then.

    Raises ValueError for an engine that doesn't exist, SimulationInterrupted when the user stops the run, and
    ConservationError if the engine lost or made a packet.
    """
    outcome = _outcome(scenario, engine, recording, progress)
    result = dataset.build(scenario, engine, outcome, recording)
    if outcome.until_s < scenario.end_s:
        raise SimulationInterrupted(result)
    return result


def simulate_totals(scenario: Scenario, engine: str = "process") -> Totals:
    """Simulate `scenario` and return each flow's totals alone (`simcore.totals`): for thousands of short runs.

    The Dataset that `simulate` builds takes longer than a short run on the compiled engine. Raises what `simulate`
    raises, and KeyboardInterrupt when the user stops the run.
    """
    outcome = _outcome(scenario, engine, TOTALS, None)
    if outcome.until_s < scenario.end_s:
        raise KeyboardInterrupt
    return outcome.totals


def _outcome(scenario: Scenario, engine: str, recording: Recording, progress: Progress | None) -> Outcome:
    if engine not in ENGINES:
        raise ValueError(f"engine: {engine!r} is not known; allowed: {', '.join(ENGINES)}")
    outcome = ENGINES[engine](scenario, recording, progress)
    conservation.check(outcome)
    return outcome
