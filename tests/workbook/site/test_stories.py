"""Stories: every number and every bet's answer comes from the runs, the same in both engines; and what is refused."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import xarray as xr
import yaml

from simcore import metrics, scenario_from, simulate
from simcore.scenario.change import changed
from workbook.paths import REPO, Places
from workbook.site.explorer import families_of, tale_of
from workbook.site.formulas import worth
from workbook.site.stories import NUMBER, Story, StoryError, stories

STORIES = stories()
GOOD: dict[str, Any] = yaml.safe_load((REPO.params / "stories" / "fifth-packet.yaml").read_text("utf-8"))


@cache
def runs(name: str, engine: str = "compiled") -> Mapping[str, xr.Dataset]:
    """All runs of a story."""
    settings = STORIES[name].settings()
    return {run: simulate(scenario_from(setting), engine) for run, setting in settings.items()}


def goodput(name: str, flow: int, **changes: object) -> float:
    """What a flow gets in a story's last run, with something changed."""
    *_, setting = STORIES[name].settings().values()
    run = simulate(scenario_from(changed(setting, {path.replace("__", "."): value for path, value in changes.items()})))
    return float(metrics.goodput_kbps(run).sel(flow=flow))


def test_there_are_six() -> None:
    assert [story.place for story in STORIES.values()] == [1, 2, 3, 4, 5, 6]
    assert next(iter(STORIES)) == "fifth-packet"


@pytest.mark.parametrize("name", STORIES)
def test_one_bet_comes_true_and_both_engines_tell_the_same(name: str) -> None:
    story = STORIES[name]
    told = [
        (story.answers(own), [worth(tree, own) for tree in story.trees.values()], worth(story.moment_tree, own))
        for own in (runs(name), runs(name, "process"))
    ]
    assert told[0] == told[1]
    assert len(told[0][0]) == 1
    assert 0 <= told[0][2] < min(float(setting["end_s"]) for setting in story.settings().values())


@pytest.mark.parametrize("name", STORIES)
def test_no_number_is_typed_and_each_that_is_told_is_finite(name: str) -> None:
    for field in ("question", "watch", "reveal", "play"):
        said = getattr(STORIES[name], field)
        assert not re.search(r"\d", NUMBER.sub("", said))
        told = STORIES[name].told(field, runs(name))
        assert not re.search(r"nan|inf\b|[{}]", told), told
    assert NUMBER.search(STORIES[name].reveal), "what came of it is a number"


def test_the_answer_is_not_always_in_the_same_place() -> None:
    answers = [STORIES[name].answers(runs(name))[0] for name in STORIES]
    assert {1, 2, 3} == set(answers)


def test_the_whole_page_can_say_them_all() -> None:
    families = families_of((2,), {})
    assert [name for name, story in STORIES.items() if tale_of(name, story, families) is None] == []


def test_the_fifth_packets_headline() -> None:
    assert (
        STORIES["fifth-packet"].told("reveal", runs("fifth-packet")).startswith("Flow one gets 302 instead of 906 kb/s")
    )


def test_what_is_said_beside_the_numbers_is_so() -> None:
    """A later packet costs nothing; FQ-CoDel helps TCP; half a millisecond is fair; one character is most of it."""
    assert goodput("fifth-packet", 1, flows__0__lost_packets=[10]) > 906
    assert goodput("starving", 1, bottleneck__queue="fq_codel") > 5 * goodput("starving", 1)
    assert goodput("fifth-of-a-millisecond", 1, flows__1__access__delay_ms=1.5) > 4500
    had, has = (worth(STORIES["one-character"].trees[name], runs("one-character")) for name in ("had", "has"))
    before = STORIES["one-character"].settings()["before"]
    marked = simulate(scenario_from({**before, "recovery_exit_marked": True}))
    assert had - float(metrics.goodput_kbps(marked).sel(flow=1)) > 0.8 * (had - has)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"title": None}, "title: None is not allowed; Input should be a valid string"),
        ({"plot": "x"}, "plot: unknown key; allowed here: place, title, question, "),
        ({"moment": "soon"}, "moment: soon is not known; known here: had, has, "),
        ({"moment": "parts_s(before)"}, "moment: parts_s: of two runs of this story: before, after"),
        ({"moment": "first_drop_s(later)"}, "moment: first_drop_s: of a run of this story: before, after"),
        ({"moment": "__import__('os')"}, "moment: __import__: no such measure; there is goodput_kbps, "),
        ({"moment": "1 +"}, "moment: '1 +' is no formula; an example: 100 * goodput_kbps(before, 1)"),
        ({"numbers.has": "goodput_kbps(after, 3)"}, "numbers.has: flow 3 is not in every run"),
        ({"numbers.has": "goodput_kbps(after)"}, "numbers.has: goodput_kbps: of a run and a flow"),
        ({"numbers.has": "goodput_kbps(after, 0)"}, "numbers.has: goodput_kbps: of a run and a flow"),
        ({"bet.0.when": "part << 3"}, "bet.0.when: part << 3 is not known"),
        ({"bet.0.whenever": "1"}, "bet.0.whenever: unknown key; allowed here: says, when"),
        ({"reveal": "It loses {lots} kb/s."}, "reveal: {lots}: no such number; there is had, has, "),
        ({"reveal": "It loses 604 kb/s."}, "reveal: '604' is typed; a number is computed: {name}"),
        ({"reveal": "It loses {had:9} kb/s."}, "reveal: '{had:9}' is typed"),
        ({"case": "two-tcp/base"}, "case: two-tcp has no case 'base'; there is baseline, "),
        ({"case": "three-tcp/baseline"}, "case: no chapter 'three-tcp'; there is background-traffic, "),
        ({"chapter": "none"}, "chapter: no chapter 'none'; there is "),
        ({"runs.after": {"bottleneck.rate_mbps": -1}}, "runs.after: bottleneck.rate_mbps: -1 is not allowed"),
        ({"runs.after": {"bottleneck.rate.mbps": 1}}, "runs.after: bottleneck.rate"),
        ({"runs": {"before": {}}}, "runs: {'before': {}} is not allowed; Dictionary should have at least 2 items"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(change: dict[str, Any], problem: str, tmp_path: Path) -> None:
    said = yaml.safe_load(yaml.safe_dump(GOOD, sort_keys=False))
    for path, value in change.items():
        *above, last = (int(part) if part.isdigit() else part for part in path.split("."))
        node = said
        for part in above:
            node = node[part]
        node[last] = value
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(said, sort_keys=False), "utf-8")
    with pytest.raises(StoryError) as refused:
        Story.load(tmp_path / "mine.yaml")
    assert str(refused.value).startswith(f"{tmp_path / 'mine.yaml'}: {problem}")
    assert "\n" not in str(refused.value)


def test_no_file_and_two_at_one_place_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoryError, match=r"none\.yaml"):
        Story.load(tmp_path / "none.yaml")
    places = Places(tmp_path)
    places.params.joinpath("stories").mkdir(parents=True)
    for chapter in ("two-tcp", "tcp-udp"):
        places.params.joinpath(f"{chapter}.yaml").write_text((REPO.params / f"{chapter}.yaml").read_text("utf-8"))
    for name in ("one", "two"):
        places.params.joinpath("stories", f"{name}.yaml").write_text(yaml.safe_dump(GOOD, sort_keys=False), "utf-8")
    with pytest.raises(StoryError, match=r"two\.yaml: place: 1 is that of one, too"):
        stories(places)
