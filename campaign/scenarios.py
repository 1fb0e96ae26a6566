"""Random scenarios in both engines. Hypothesis makes them up, and makes small what it finds."""

from typing import Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from campaign.bounds import any_network, at_bounds
from campaign.trials import Finding, Kind, Round, within
from simcore import Scenario
from tests.engines import assert_same
from tests.strategies import networks, scenarios, tied_scenarios

EXAMPLES: Final = 10  # of a round
LONGEST_S: Final = 120.0  # of an example, compiling included
CHARACTERS: Final = 2000  # of what is told


def tried(strategy: st.SearchStrategy[Scenario], number: int, examples: int = EXAMPLES) -> Round:
    """A round of scenarios: those that differ end it, with the smallest of them."""
    trials = 0
    wrong: list[Scenario] = []  # the last is the smallest

    @seed(number)
    @settings(
        max_examples=examples,
        derandomize=False,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(strategy)
    def trial(scenario: Scenario) -> None:
        nonlocal trials
        trials += 1
        wrong.append(scenario)
        with within(LONGEST_S):
            assert_same(scenario)
        wrong.pop()

    try:
        trial()
    except Exception as error:
        if not wrong:
            raise
        told = f"{type(error).__name__}: {error}"[:CHARACTERS]
        return Round(trials, [Finding(told, {"scenario.yaml": wrong[-1].to_yaml().encode()})])
    return Round(trials, [])


KINDS: Final = (
    Kind("scenarios", "any queue, any sender, in both engines", lambda number: tried(scenarios(), number)),
    Kind("ties", "packets that come at the same moment", lambda number: tried(tied_scenarios(), number)),
    Kind("networks", "rows of routers and shared hosts", lambda number: tried(networks(), number)),
    Kind("bounds", "numbers at the schema's bounds", lambda number: tried(at_bounds(any_network()), number)),
)
