"""Links: the words of a setting, and the setting of the words, the same as on the page."""

import json
from random import Random
from typing import Any

import pytest

from simcore import ScenarioError, scenario_from
from tests.workbook.site.pages import small_family
from workbook.explore import Explorer
from workbook.explore import setting as st
from workbook.explore.address import base_of, is_same, setting_of, values_of
from workbook.explore.catalogue import catalogue
from workbook.explore.futures import with_fate
from workbook.explore.panel import MOST_FLOWS
from workbook.explore.setting import SLIDERS, Setting
from workbook.site.grid import Family


def words_of(values: dict[str, Any]) -> dict[str, str]:
    """As js/address.js writes them, and as a browser reads them."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    return {name: text.strip("[]").replace(", ", ".").removesuffix(".0") for name, text in texts.items()}


def words_of_page(family: Family, at: dict[str, int]) -> dict[str, str]:
    """The link that the page shows at these positions: js/page.js."""
    controls = family.controls.values()
    told = [each for each in controls if not each.is_further or at[each.name] != family.start[each.name]]
    return words_of({"flows": family.flows} | {each.name: each.values[at[each.name]] for each in told})


def whole(setting: Setting) -> Setting:
    """With what a queue's own defaults add."""
    return scenario_from(setting).to_mapping()


@pytest.mark.parametrize("flows", [1, 2, 4])
def test_a_link_of_the_page_means_the_same(flows: int) -> None:
    family, random = small_family(flows), Random(3)
    for _ in range(40):
        at = {**family.anything(random), "ecn": 0}  # which not every sender may
        assert setting_of(words_of_page(family, at)) == whole(family.setting(at))
    with_ecn = {**family.start, "ecn": 1}
    assert setting_of(words_of_page(family, with_ecn)) == whole(family.setting(with_ecn))


def test_what_a_link_leaves_out_is_as_the_page_begins() -> None:
    assert is_same(setting_of({"flows": "2"}), small_family(2).base)
    shorter = setting_of({"flows": "2", "buffer_packets": "5"})
    assert is_same(shorter, SLIDERS["buffer_packets"].write(base_of(2), 5))


def test_what_is_only_looked_at_on_the_page_is_left_out() -> None:
    words = {"flows": "2", "lost_1": "5"}
    seen = {"than": "-", "view": "0.1-1", "at": "0.2", "packet": "1.5", "story": "starving", "step": "3"}
    assert is_same(setting_of(words | seen), setting_of(words))


def test_every_case_of_every_chapter_comes_back_from_its_link() -> None:
    for title, setting in catalogue().items():
        assert is_same(setting_of(words_of(values_of(setting))), setting), title


def test_a_link_has_controls_where_they_say_all_and_else_the_scenario() -> None:
    said = values_of(with_fate(with_fate(base_of(2), 2, 9, "lost"), 2, 4, "lost"))
    assert (said["flows"], said["buffer_packets"], said["lost_2"]) == (2, 20, [4, 9])
    assert "links" not in said
    assert "spared_2" not in said
    assert values_of({**base_of(2), "seed": 7}).keys() == {"scenario"}
    most, more = (whole(st.with_kinds(base_of(1), ["reno"] * count)) for count in (MOST_FLOWS, MOST_FLOWS + 1))
    assert values_of(most)["flows"] == MOST_FLOWS
    assert values_of(more).keys() == {"scenario"}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"flows": "7"}, "flows: 7 is not allowed; allowed: 1, 2, 3, 4, 5, 6"),
        ({"flows": "two"}, "flows: two is not allowed"),
        ({"kind_1": "reno"}, "flows: (missing) is not allowed"),
        (
            {"flows": "2", "rate": "1"},
            "rate: no such control; allowed: flows, kind_1, kind_2, profile, queue, rate_mbps",
        ),
        ({"flows": "2", "lost_3": "5"}, "lost_3: no such control"),
        ({"flows": "2", "lost_1": "5.0"}, "lost_1: 5.0 is not allowed: packets count from 1"),
        ({"flows": "2", "kind_2": "quic"}, "kind_2: quic is not allowed; allowed: tahoe, reno"),
        ({"flows": "2", "queue": "lifo"}, "queue: lifo is not allowed; allowed: droptail"),
        ({"flows": "2", "senders": "far"}, "senders: far is not allowed; allowed: router, own, host"),
        ({"flows": "2", "ecn": "maybe"}, "ecn: maybe is not allowed; allowed: false, true"),
        ({"flows": "2", "rate_mbps": "10.2"}, "rate_mbps: 10.2 is not allowed; allowed: 0.1 to 10.1 Mb/s"),
        ({"flows": "2", "rate_mbps": "nan"}, "rate_mbps: nan is not allowed"),
        ({"flows": "2", "buffer_packets": "5.5"}, "buffer_packets: 5.5 is not allowed; allowed: 1 to 101 packets"),
        ({"flows": "2", "kind_1": "vegas", "ecn": "true"}, "flows.0.ecn: true is not allowed with vegas"),
        ({"scenario": "{"}, "scenario.json: not readable as JSON"),
        ({"scenario": '{"end": 3}'}, "end: unknown key"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_line(words: dict[str, str], problem: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        setting_of(words)
    assert refused.value.args[0].startswith(problem)
    explorer = Explorer("two-tcp", "baseline")
    before = explorer.setting
    explorer._touched({"do": "follow", "words": words})
    explorer._touched({"do": "resize", "pixels": 700})
    assert explorer.charts.status["text"].startswith(f"The link: {problem}")
    assert "\n" not in explorer.charts.status["text"]
    assert explorer.setting == before


def test_the_explorer_follows_a_link_and_tells_its_own() -> None:
    explorer = Explorer("two-tcp", "baseline")
    assert setting_of(words_of(dict(explorer.charts.words))) == {**explorer.setting, "name": "my-own"}
    explorer._touched({"do": "follow", "words": words_of(dict(explorer.charts.words))})
    assert explorer.panel.start.value == "Two TCP flows: Baseline", "nothing was changed"
    explorer._touched({"do": "follow", "words": {"flows": "3", "kind_3": "cbr", "buffer_packets": "7"}})
    assert explorer.panel.start.value == "(my own)"
    assert explorer.panel.sliders["buffer_packets"].value == explorer.charts.words["buffer_packets"] == 7
    assert st.kinds(explorer.setting) == ["reno", "reno", "cbr"]
    explorer.panel.sliders["buffer_packets"].value = 8
    assert explorer.charts.words["buffer_packets"] == 8


def test_a_refusal_is_said_until_something_changes() -> None:
    explorer = Explorer("two-tcp", "baseline")
    explorer._touched({"do": "follow", "words": {"flows": "9"}})
    explorer._touched({"do": "whole"})
    assert explorer.charts.status["state"] == "wrong"
    explorer.panel.sliders["buffer_packets"].value = 8
    assert explorer.charts.status["state"] != "wrong"
