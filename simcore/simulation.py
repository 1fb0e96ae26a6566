"""Run a scenario on an engine."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from simcore.progress import Progress, shown
from simcore.results import conservation
from simcore.results.log import EVERYTHING, TOTALS, EngineUnavailableError, Outcome, Recording
from simcore.results.tables import Table
from simcore.results.totals import Totals
from simcore.results.variables import variables
from simcore.scenario.scenario import Scenario

if TYPE_CHECKING:
    import xarray as xr

Engine = Callable[[Scenario, Recording, Progress | None], Outcome]


class FinishedRun(NamedTuple):
    """A finished run, of which the Dataset is yet to be made: xarray takes longer to import than a short run."""

    scenario: Scenario
    engine: str
    recording: Recording
    outcome: Outcome

    def variables(self) -> Table:
        """What the Dataset would have, by its names."""
        return variables(self.scenario, self.outcome, self.recording)

    def dataset(self) -> "xr.Dataset":
        """The Dataset."""
        from simcore.results import dataset

        return dataset.build(self.scenario, self.engine, self.outcome, self.recording)


class SimulationInterrupted(KeyboardInterrupt):
    """The user stopped a run.

    Attributes
    ----------
    until_s : float
        The simulated time until which it came, in s.
    run : FinishedRun
        What was simulated until then.
    dataset : xarray.Dataset
        The same. It is made when it is asked for, which may take a while.
    """

    def __init__(self, run: FinishedRun) -> None:
        super().__init__(f"stopped at {run.outcome.until_s} s of simulated time")
        self.until_s = run.outcome.until_s
        self.run = run

    @cached_property
    def dataset(self) -> "xr.Dataset":
        return self.run.dataset()


def _process(scenario: Scenario, recording: Recording, progress: Progress | None) -> Outcome:
    """The process model, imported when it is first asked for."""
    from simcore import process

    return process.run(scenario, recording, progress)


def _compiled(scenario: Scenario, recording: Recording, progress: Progress | None) -> Outcome:
    """The compiled engine, imported when it is first asked for: it loads LLVM."""
    from simcore.compiled import engine

    return engine.run(scenario, recording, progress)


def _kernel(scenario: Scenario, recording: Recording, progress: Progress | None) -> Outcome:
    """The kernel's TCP, set to be near the textbook. It needs Linux, and is imported when it is first asked for."""
    from simcore.kernel import engine, settings

    return engine.run(scenario, recording, progress, settings.NEAREST)


def _kernel_default(scenario: Scenario, recording: Recording, progress: Progress | None) -> Outcome:
    """The kernel's TCP as a distribution delivers it."""
    from simcore.kernel import engine, settings

    return engine.run(scenario, recording, progress, settings.DEFAULT)


MODELS: Final[dict[str, Engine]] = {"process": _process, "compiled": _compiled}
ENGINES: Final[dict[str, Engine]] = MODELS | {"kernel": _kernel, "kernel-default": _kernel_default}


def require_engine(engine: str) -> None:
    """Raise ValueError if there is no such engine, and EngineUnavailableError if it can't run here."""
    if engine not in ENGINES:
        raise ValueError(f"engine: {engine!r} is not known; allowed: {', '.join(ENGINES)}")
    if engine == "compiled":
        from simcore.compiled.llvm import llvm_problem

        if problem := llvm_problem():
            raise EngineUnavailableError(f"engine: compiled: {problem}; the engine process gives the same without it")


def check(scenario: Scenario, engine: str) -> None:
    """See that an engine can run a scenario.

    Parameters
    ----------
    scenario : Scenario
        What is to be simulated.
    engine : str
        One of `ENGINES`.

    Returns
    -------
    None
        If it can.

    Raises
    ------
    ValueError
        If there is no such engine.
    ScenarioError
        One line with the dotted path, if it can't: the kernel has no Vegas as ns-2 has it.
    EngineUnavailableError
        If the engine needs what is not installed, or another system.
    """
    require_engine(engine)
    if engine not in MODELS:
        from simcore.kernel import refusals

        refusals.check(scenario)


def simulate(
    scenario: Scenario,
    engine: str = "process",
    recording: Recording = EVERYTHING,
    progress: Progress | bool | None = None,
) -> "xr.Dataset":
    """Simulate a scenario.

    Parameters
    ----------
    scenario : Scenario
        What is simulated.
    engine : str
        "process", the SimPy process model, or "compiled", the same rules some hundred times as fast. Their Datasets
        are equal. "kernel" puts the Linux kernel's own TCP, set near the textbook, in place of the rules, in real time;
        "kernel-default" does so as a distribution delivers it.
    recording : Recording
        What is kept beside the totals: EVERYTHING, WINDOWS, TOTALS, or one of your own.
    progress : callable or bool, optional
        Called now and then with the simulated time, in s; True shows a bar after the first second, in notebooks too.

    Returns
    -------
    xarray.Dataset
        Dimensions `packet`, `ack`, `update`, `change`, `event` as far as recorded, and `flow`; every variable has a
        `long_name` and `units`, times are in s. The attributes are enough to make it again.

    Raises
    ------
    ValueError
        If there is no such engine, or it has no states to record.
    ScenarioError
        If the engine can't run this scenario: see `check`.
    EngineUnavailableError
        If it needs what is not installed, or what this system forbids.
    SimulationInterrupted
        If the user stops the run.
    ConservationError
        If the engine lost or made a packet, which is a fault of the engine.
    """
    return record(scenario, engine, recording, progress).dataset()


def record(
    scenario: Scenario,
    engine: str = "process",
    recording: Recording = EVERYTHING,
    progress: Progress | bool | None = None,
) -> FinishedRun:
    """Simulate a scenario, and leave its Dataset to be made later, if at all. Takes and raises what `simulate` does."""
    if recording.states and engine not in MODELS:
        raise ValueError(f"recording: states are those of a model; must be recorded with {' or '.join(MODELS)}")
    with shown(progress, scenario.end_s, scenario.name) as told:
        run = FinishedRun(scenario, engine, recording, _outcome(scenario, engine, recording, told))
    if run.outcome.until_s < scenario.end_s:
        raise SimulationInterrupted(run)
    return run


def simulate_totals(scenario: Scenario, engine: str = "process") -> Totals:
    """Simulate a scenario and return each flow's totals alone: for thousands of short runs.

    The Dataset that `simulate` builds takes longer than a short run on the compiled engine.

    Parameters
    ----------
    scenario : Scenario
        What is simulated.
    engine : str
        As for `simulate`.

    Returns
    -------
    mapping of str to numpy.ndarray
        `sent`, `dropped`, `marked`, `received`, `received_bytes`, `retransmitted`, `fast_retransmits`, `timeouts`,
        `acknowledged` and `in_flight`, an entry for each flow, in packets but for `received_bytes`.

    Raises
    ------
    ValueError
        If there is no such engine.
    ScenarioError
        If the engine can't run this scenario: see `check`.
    EngineUnavailableError
        If it needs what is not installed, or what this system forbids.
    KeyboardInterrupt
        If the user stops the run.
    ConservationError
        If the engine lost or made a packet, which is a fault of the engine.
    """
    outcome = _outcome(scenario, engine, TOTALS, None)
    if outcome.until_s < scenario.end_s:
        raise KeyboardInterrupt
    return outcome.totals


def _outcome(scenario: Scenario, engine: str, recording: Recording, progress: Progress | None) -> Outcome:
    check(scenario, engine)
    outcome = ENGINES[engine](scenario, recording, progress)
    conservation.check(outcome)
    return outcome
