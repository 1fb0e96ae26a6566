"""The runs of one exploration, kept while one goes back and forth."""

from collections.abc import Callable
from functools import lru_cache

import xarray as xr

from simcore import Scenario, simulate
from workbook.explore.engines import Engines

RUNS_KEPT = 4


class Session:
    """Simulates what is asked for, each scenario once as long as it is kept."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self.engines = Engines(tell)
        self.run = lru_cache(maxsize=RUNS_KEPT)(self._run)

    def _run(self, scenario: Scenario) -> xr.Dataset:
        return simulate(scenario, self.engines.choose(scenario))
