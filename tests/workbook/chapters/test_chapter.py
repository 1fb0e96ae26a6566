"""Chapters: a base, the cases that change it, and a clear word when a change leads nowhere."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from simcore.scenario.change import ChangeError, changed
from workbook.chapters.chapter import Chapter, ChapterError
from workbook.paths import REPO

FLOW = {"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0.1, "stop_s": 10}
BASE: dict[str, Any] = {
    "profile": "ns-2.27",
    "end_s": 10.5,
    "bottleneck": {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20},
    "flows": [FLOW, FLOW],
}
UDP = {"kind": "udp", "source": "cbr", "packet_bytes": 1000, "rate_mbps": 0.95, "start_s": 0.1, "stop_s": 10}
STUDY = ["baseline", "size-100", "size-4000", "bandwidth-1Mb", "buffer-50", "buffer-5", "delay-100ms"]


def chapter_file(directory: Path, **replaced: Any) -> Path:
    """A chapter `small` with one case `other`, with some of its keys replaced."""
    content = {
        "chapter": "small",
        "title": "Small",
        "notebook": "notebooks/small.ipynb",
        "engine": "process",
        "base": BASE,
        "cases": {"other": {"title": "Other", "change": {}}},
    }
    path = directory / "small.yaml"
    path.write_text(yaml.safe_dump(content | replaced))
    return path


def test_a_star_changes_every_flow_and_a_number_one() -> None:
    # Both flows of the base are one object, as an alias in YAML makes them.
    result = changed(BASE, {"flows.*.packet_bytes": 100, "flows.1.window_packets": 5, "bottleneck.rate_mbps": 1})
    assert [flow["packet_bytes"] for flow in result["flows"]] == [100, 100]
    assert [flow["window_packets"] for flow in result["flows"]] == [20, 5]
    assert result["bottleneck"]["rate_mbps"] == 1
    assert BASE["flows"][0]["packet_bytes"] == 1000, "the base is left as it was"


def test_changes_are_made_in_order_so_that_new_flows_can_be_changed_too() -> None:
    result = changed(BASE, {"flows": [UDP], "flows.*.packet_bytes": 4000, "min_rto_s": 0.2})
    assert result["flows"] == [UDP | {"packet_bytes": 4000}]
    assert result["min_rto_s"] == 0.2
    assert UDP["packet_bytes"] == 1000


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("flow.*.packet_bytes", "no key 'flow'; there is profile, end_s, bottleneck, flows"),
        ("flows.2.packet_bytes", "no element '2'; there are 2, numbered from 0"),
        ("flows.first.packet_bytes", "no element 'first'; there are 2, numbered from 0"),
        ("bottleneck.*", "no key '*'; there is rate_mbps, delay_ms, queue, buffer_packets"),
        ("end_s.long", "nothing can be below 10.5, where 'long' is asked for"),
    ],
)
def test_a_path_that_leads_nowhere_says_what_is_there(path: str, problem: str) -> None:
    with pytest.raises(ChangeError) as error:
        changed(BASE, {path: 1})
    assert str(error.value) == f"{path}: {problem}"


@pytest.mark.parametrize(
    ("replaced", "problem"),
    [
        ({"colour": "red"}, "colour: unknown key; allowed here: chapter, title, about, model, notebook, engine"),
        ({"title": 3}, "title: 3 is not allowed; must be a valid string"),
        ({"chapter": "large"}, "chapter: 'large' is not allowed; must be 'small', as the file"),
        ({"engine": "steam"}, "engine: 'steam' is not known; allowed: process"),
        ({"model": "fluid"}, "model: 'fluid' is not allowed; must be 'packets' or 'rounds'"),
        ({"model": "rounds"}, "base: bottleneck: unknown key, given {"),
        ({"cases": {}}, "cases: {} is not allowed; must have at least 1 item"),
        ({"cases": {"../up": {"title": "Up", "change": {}}}}, "cases.../up: '../up' is not allowed; must match"),
        ({"cases": {"other": {"title": "Other"}}}, "cases.other.change: missing; must be given"),
        ({"cases": {"other": {"title": "Other", "change": {}, "cost": 1}}}, "cases.other.cost: unknown key"),
        ({"base": BASE | {"end_s": -1}}, "base: end_s: -1 is not allowed; must be greater than 0"),
        (
            {"cases": {"other": {"title": "Other", "change": {"flows.5.stop_s": 1}}}},
            "cases.other: change: flows.5.stop_s: no element '5'; there are 2",
        ),
        (
            {"cases": {"other": {"title": "Other", "change": {"flows.*.packet_byte": 1}}}},
            "cases.other: flows.0.packet_byte: unknown key, given 1; allowed here: ",
        ),
        (
            {"then_and_now": {"later": {"profile": "ns-3"}}},
            "then_and_now.later: cases.other: profile: 'ns-3' is not known; allowed: ns-2.27, ns-2.35",
        ),
    ],
)
def test_a_chapter_that_cannot_be_run_says_where_and_what_is_allowed(
    tmp_path: Path, replaced: dict[str, Any], problem: str
) -> None:
    path = chapter_file(tmp_path, **replaced)
    with pytest.raises(ChapterError) as error:
        Chapter.load(path)
    assert str(error.value).startswith(f"{path}: {problem}")
    assert "\n" not in str(error.value)


def test_a_chapter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ChapterError, match=r"none\.yaml: cannot be read: no such file or directory"):
        Chapter.load(tmp_path / "none.yaml")


def test_a_case_has_a_name_and_takes_another_profile(tmp_path: Path) -> None:
    chapter = Chapter.load(chapter_file(tmp_path))
    assert chapter.scenario("other").name == "small/other"
    assert chapter.scenario("other").profile.name == "ns-2.27"
    later = chapter.scenario("other", profile="ns-2.35", min_rto_s=1.0)
    assert (later.profile.name, later.profile.min_rto_s) == ("ns-2.35", 1.0)
    with pytest.raises(ChapterError, match="small: no case 'third'; there is other"):
        chapter.scenario("third")


def test_a_chapter_of_rounds_has_scenarios_of_rounds(tmp_path: Path) -> None:
    base = {"reading": "literal", "rounds": 9, "mismatch": 10, "buffer_segments": 7, "senders": [{}, {}]}
    late = {"late": {"title": "Late", "change": {"senders.1.start_round": 5}}}
    chapter = Chapter.load(chapter_file(tmp_path, model="rounds", base=base, cases=late))
    scenario = chapter.rounds_scenario("late", seed=3)
    assert (scenario.name, scenario.seed, scenario.senders[1].start_round) == ("small/late", 3, 5)
    late["late"]["change"] = {"senders.1.start_round": 9}
    with pytest.raises(ChapterError, match=r"cases\.late: senders\.1\.start_round: 9 is not allowed"):
        Chapter.load(chapter_file(tmp_path, model="rounds", base=base, cases=late))


def test_the_studies_have_their_seven_configurations() -> None:
    assert list(Chapter.load(REPO.params / "two-tcp.yaml").cases) == [*STUDY, "baseline-60s"]
    assert list(Chapter.load(REPO.params / "tcp-udp.yaml").cases) == STUDY
    one = [f"{kind}-{case}" for kind in ("tcp", "udp", "two-udp") for case in STUDY]
    assert list(Chapter.load(REPO.params / "one-flow.yaml").cases) == one


@pytest.mark.parametrize("name", ["two-tcp", "tcp-udp"])
def test_the_studies_are_seen_under_a_later_and_a_corrected_tcp(name: str) -> None:
    chapter = Chapter.load(REPO.params / f"{name}.yaml")
    assert list(chapter.then_and_now) == ["ns-2.35", "corrected"]
    corrected = chapter.scenario("baseline", **chapter.then_and_now["corrected"]).profile
    assert corrected.recovery_exit_marked
    assert corrected.min_rto_s == 1.0, "everything else stays as it was in 2004"


def test_only_the_changed_values_of_a_case_differ_from_the_base() -> None:
    chapter = Chapter.load(REPO.params / "two-tcp.yaml")
    base, longer = chapter.scenario("baseline"), chapter.scenario("baseline-60s")
    assert (longer.end_s, [flow.stop_s for flow in longer.flows]) == (60.5, [60, 60])
    assert longer.bottleneck == base.bottleneck
