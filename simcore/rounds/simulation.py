"""Run a scenario of the round model."""

import xarray as xr

from simcore.rounds import conservation, dataset, process
from simcore.rounds.scenario import RoundsScenario


def simulate_rounds(scenario: RoundsScenario) -> xr.Dataset:
    """Simulate `scenario` and return its Dataset (`simcore.rounds.dataset` says what is in it).

    Raises ConservationError if a byte was lost or made.
    """
    result = dataset.build(scenario, process.run(scenario))
    conservation.check(result)
    return result
