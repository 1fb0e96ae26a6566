"""Scenarios of the round model: what is accepted, and the line that a person reads when it is not."""

from pathlib import Path

import pytest
import yaml

from simcore import ScenarioError
from simcore.rounds import RoundsScenario, load_rounds_scenario, rounds_scenario_from
from tests.simcore.rounds.scenes import paused, single

USUAL = {"reading": "literal", "rounds": 300, "mismatch": 10, "buffer_segments": 7, "senders": [{}, {}]}
PAUSE = {"connection": "dropped", "first_round": 100, "last_round": 149}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"buffer": 7}, "buffer: unknown key, given 7; allowed here: name, reading, rounds, mismatch, buffer_segments"),
        ({"senders": [{"start": 3}]}, "senders.0.start: unknown key, given 3; allowed here: start_round, idle"),
        (
            {"senders": [{"idle": {"until": 3}}]},
            "senders.0.idle.until: unknown key, given 3; allowed here: connection, first_round, last_round",
        ),
        ({"reading": "F"}, "reading: 'F' is not known; allowed: original, literal, fitted"),
        ({"reading": "original"}, "reading: 'original' is not allowed with 2 senders; must be literal or fitted"),
        ({"senders": []}, "senders: () is not allowed; must have at least 1"),
        ({"senders": [{}] * 3}, "senders: ({}, {}, {}) is not allowed; must have at most 2"),
        ({"senders": 2}, "senders: 2 is not allowed; must be a list"),
        ({"rounds": 2.5}, "rounds: 2.5 is not allowed; must be a whole number"),
        ({"rounds": "300"}, "rounds: '300' is not allowed; must be a whole number"),
        ({"mismatch": 1}, "mismatch: 1 is not allowed; must be greater than or equal to 2"),
        ({"go_back_n": 1}, "go_back_n: 1 is not allowed; must be true or false"),
        (
            {"senders": [{}, {"start_round": 300}]},
            "senders.1.start_round: 300 is not allowed; must be less than rounds, 300",
        ),
        (
            {"senders": [{"start_round": 100, "idle": PAUSE}]},
            "senders.0.idle.first_round: 100 is not allowed; must be greater than start_round, 100",
        ),
        (
            {"senders": [{"idle": PAUSE | {"last_round": 99}}]},
            "senders.0.idle.last_round: 99 is not allowed; must be at least first_round, 100",
        ),
    ],
)
def test_what_is_wrong_is_told_in_a_line_each(change: dict[str, object], message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        rounds_scenario_from(USUAL | change)
    first, *others = str(error.value).splitlines()
    assert first.startswith(message)
    assert all(": missing; must be given" in other for other in others), "what is misspelt is missing as well"


@pytest.mark.parametrize("missing", USUAL)
def test_what_is_missing_is_named(missing: str) -> None:
    given = {key: value for key, value in USUAL.items() if key != missing}
    with pytest.raises(ScenarioError, match=rf"^somewhere: {missing}: missing; must be given$"):
        rounds_scenario_from(given, where="somewhere: ")


@pytest.mark.parametrize(
    "change",
    [
        {"senders": [{"start_round": 299}]},
        {"senders": [{"start_round": 99, "idle": PAUSE}]},
        {"senders": [{"idle": PAUSE | {"last_round": 100}}]},
        {"mismatch": 2, "buffer_segments": 1, "rounds": 1},
        {"reading": "original", "senders": [{}]},
    ],
)
def test_what_is_just_allowed_is_accepted(change: dict[str, object]) -> None:
    assert isinstance(rounds_scenario_from(USUAL | change), RoundsScenario)


@pytest.mark.parametrize("scenario", [single(), paused("fitted", "kept_alive"), single(go_back_n=True, seed=7)])
def test_a_scenario_survives_its_own_file(scenario: RoundsScenario, tmp_path: Path) -> None:
    path = tmp_path / "other-name.yaml"
    path.write_text(scenario.to_yaml())
    assert load_rounds_scenario(path) == scenario
    assert yaml.safe_load(scenario.to_yaml()) == scenario.to_mapping()


def test_a_file_without_a_name_lends_its_own(tmp_path: Path) -> None:
    path = tmp_path / "competing.yaml"
    path.write_text(yaml.safe_dump(USUAL))
    assert load_rounds_scenario(path).name == "competing"


def test_a_message_begins_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(yaml.safe_dump(USUAL | {"rounds": 0}))
    with pytest.raises(ScenarioError, match=r"broken\.yaml: rounds: 0 is not allowed"):
        load_rounds_scenario(path)
