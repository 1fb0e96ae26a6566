"""How hidden tests simulate: as `simcore.simulate`, but on the compiled engine, and nothing twice.

Both engines give the same, bit for bit. A student's own controller lives elsewhere
(`workbook.teaching.answers.Remote`): it runs on the process engine, each time anew.
"""

import json
from functools import lru_cache

import xarray as xr

import simcore
from simcore import EVERYTHING, EngineUnavailableError, Recording, Scenario, scenario_from
from simcore.rules.congestion.registry import registered_since
from simcore.scenario.flows import TcpFlow


def simulate(scenario: Scenario, recording: Recording = EVERYTHING) -> xr.Dataset:
    """The run of a scenario. Raises ScenarioError as `simcore.simulate` does."""
    growths = {flow.growth or flow.variant for flow in scenario.flows if isinstance(flow, TcpFlow)}
    if growths & registered_since().keys():
        return simcore.simulate(scenario, recording=recording)
    return _remembered(json.dumps(scenario.to_mapping()), recording)


@lru_cache(maxsize=128)
def _remembered(scenario: str, recording: Recording) -> xr.Dataset:
    asked = scenario_from(json.loads(scenario))
    try:
        return simcore.simulate(asked, engine="compiled", recording=recording)
    except EngineUnavailableError:
        return simcore.simulate(asked, recording=recording)
