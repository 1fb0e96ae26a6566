"""From a file to a scenario of the round model, or to lines that say what is wrong, where, and what is allowed."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from simcore.rounds.scenario import Idle, RoundsScenario, RoundsSender
from simcore.scenario.loading import ScenarioError, load_mapping
from simcore.scenario.problems import Place, problems_of


def load_rounds_scenario(path: Path | str) -> RoundsScenario:
    """Read and validate a scenario file (YAML, or JSON by its ending). Raises ScenarioError."""
    path = Path(path)
    return rounds_scenario_from({"name": path.stem} | load_mapping(path), where=f"{path}: ")


def rounds_scenario_from(mapping: Mapping[str, object], where: str = "") -> RoundsScenario:
    """Validate a mapping as a scenario; `where` stands in front of each problem of the ScenarioError."""
    try:
        return RoundsScenario.model_validate(dict(mapping))
    except ValidationError as error:
        raise ScenarioError(*problems_of(error, where, _keys_allowed_at)) from None


def _keys_allowed_at(place: Place) -> Iterable[str]:
    match place:
        case ():
            return RoundsScenario.model_fields
        case ("senders", _):
            return RoundsSender.model_fields
        case _:
            return Idle.model_fields
