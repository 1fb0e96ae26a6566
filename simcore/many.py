"""Many scenarios, one after the other, as one tree. Thousands of short runs are a sweep (`workbook sweep`)."""

from collections.abc import Mapping

import xarray as xr

from simcore.progress import Progress
from simcore.results.log import EVERYTHING, Recording
from simcore.results.tree import tree_of
from simcore.scenario.scenario import Scenario
from simcore.simulation import SimulationInterrupted, check, simulate


class RunsInterrupted(KeyboardInterrupt):
    """The user stopped several runs.

    Attributes
    ----------
    runs : xarray.DataTree
        Those that were finished, and last, where the engine keeps it, the one that was stopped, until its
        `simulated_until_s`.
    """

    def __init__(self, runs: xr.DataTree) -> None:
        super().__init__(f"stopped; {len(runs.children)} runs are kept")
        self.runs = runs


def simulate_many(
    scenarios: Mapping[str, Scenario],
    engine: str = "process",
    recording: Recording = EVERYTHING,
    progress: Progress | bool | None = None,
) -> xr.DataTree:
    """Simulate several scenarios.

    Parameters
    ----------
    scenarios : mapping of str to Scenario
        What is simulated, by the names that the runs shall have.
    engine : str
        What simulates each of them, as for `simulate`.
    recording : Recording
        What is kept of each, as for `simulate`.
    progress : callable or bool, optional
        As for `simulate`, for each run.

    Returns
    -------
    xarray.DataTree
        A node for each run, with a group for each table of its Dataset (`simcore.results.tree`). Metrics and plots
        take a node as they take a Dataset.

    Raises
    ------
    ValueError, ScenarioError, EngineUnavailableError
        As `simulate` does, for any of the scenarios, before the first is run.
    RunsInterrupted
        If the user stops the runs; it has what there is until then.
    """
    for scenario in scenarios.values():
        check(scenario, engine)
    done: dict[str, xr.DataTree] = {}
    for name, scenario in scenarios.items():
        try:
            done[name] = tree_of(simulate(scenario, engine, recording, progress))
        except KeyboardInterrupt as stopped:
            if isinstance(stopped, SimulationInterrupted):  # an engine that keeps what it has of this run
                done[name] = tree_of(stopped.dataset)
            raise RunsInterrupted(xr.DataTree.from_dict(done)) from None
    return xr.DataTree.from_dict(done)
