"""The second level of the panel: rows, shared hosts, ECN, jitter, losses by chance."""

import pytest

from simcore import scenario_from
from workbook.chapters.chapter import Chapter
from workbook.explore import Explorer
from workbook.explore.further import CHOICES, FURTHER_SLIDERS, SWITCHES
from workbook.explore.futures import with_fate
from workbook.explore.setting import Setting, with_queue
from workbook.explore.titles import described
from workbook.paths import REPO

BASELINE: Setting = Chapter.load(REPO.params / "two-tcp.yaml").scenario("baseline").to_mapping()


@pytest.fixture
def explorer() -> Explorer:
    return Explorer("two-tcp", "baseline")


@pytest.mark.parametrize(("name", "value"), [("links", 3), ("jitter_ms", 4.5), ("loss_percent", 1.5)])
def test_a_slider_reads_what_it_wrote_and_at_its_low_end_leaves_nothing_behind(name: str, value: float) -> None:
    slider = FURTHER_SLIDERS[name]
    assert slider.read(BASELINE) == slider.low
    moved = scenario_from(slider.write(BASELINE, value)).to_mapping()
    assert slider.read(moved) == value
    assert scenario_from(slider.write(moved, slider.low)).to_mapping() == BASELINE


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_turns_on_and_off_again(name: str) -> None:
    switch, before = SWITCHES[name], {**BASELINE, "flows": [{**flow, "variant": "sack"} for flow in BASELINE["flows"]]}
    assert not switch.read(before)
    on = scenario_from(switch.write(before, True)).to_mapping()
    assert switch.read(on)
    assert scenario_from(switch.write(on, False)) == scenario_from(before)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, choice in CHOICES.items() for v in choice.texts])
def test_an_arrangement_is_chosen_and_undone(name: str, value: str) -> None:
    choice = CHOICES[name]
    assert choice.read(BASELINE) == "router"
    chosen = scenario_from(choice.write(BASELINE, value)).to_mapping()
    assert choice.read(chosen) == value
    assert scenario_from(choice.write(chosen, "router")).to_mapping() == BASELINE


def test_links_of_the_flows_own_may_be_longer_one_by_one() -> None:
    """A longer delay of the first moves them all; without such links the sliders move nothing."""
    delay, step = FURTHER_SLIDERS["access_delay_ms"], FURTHER_SLIDERS["access_step_ms"]
    assert delay.read(BASELINE) is None
    assert delay.write(BASELINE, 3.0) == BASELINE
    own = CHOICES["senders"].write(BASELINE, "own")
    longer = delay.write(step.write(own, 20.0), 3.0)
    assert [flow["access"]["delay_ms"] for flow in longer["flows"]] == [3.0, 23.0]
    assert (delay.read(longer), step.read(longer)) == (3.0, 20.0)


def test_links_that_were_as_the_bottleneck_stay_so(explorer: Explorer) -> None:
    explorer.panel.sliders["links"].value = 3
    explorer.panel.sliders["rate_mbps"].value = 1.5
    assert [link.rate_mbps for link in explorer.scenario.row()] == [1.5, 1.5, 1.5]
    other = {**explorer.setting, "onward": [explorer.setting["bottleneck"], BASELINE["bottleneck"]]}
    explorer._try(other)
    explorer.panel.sliders["rate_mbps"].value = 1.0
    assert [link.rate_mbps for link in explorer.scenario.row()] == [1.0, 1.5, 2.0]


def test_a_title_tells_what_few_settings_have() -> None:
    assert described(BASELINE) == "2 Mb/s, 10 ms, droptail of 20; 2 x reno; ns-2.27"
    ecn = CHOICES["senders"].write(SWITCHES["ecn"].write(FURTHER_SLIDERS["links"].write(BASELINE, 3), True), "host")
    assert described(ecn).endswith("; bottlenecks 3 in a row, ECN, senders behind one interface, interface 10 Mb/s")


def test_a_title_tells_of_a_packet_that_is_none() -> None:
    lost = with_fate(with_fate(BASELINE, 1, 4, "lost"), 1, 99999999, "lost")
    assert described(lost, [20, 20]).startswith("packet 4 of flow 1 lost; flow 1 has no packet 99999999; 2 Mb/s")


def test_ecn_is_on_where_the_queue_marks_too() -> None:
    """Another queue begins with its own defaults, and marks nothing until it is asked to."""
    ecn = SWITCHES["ecn"]
    codel = with_queue(ecn.write(BASELINE, True), "codel")
    assert not ecn.read(codel)
    assert ecn.write(codel, True)["bottleneck"]["marks"] is True


def test_flows_that_left_behind_a_link_that_is_gone_leave_at_the_last() -> None:
    links = FURTHER_SLIDERS["links"]
    three = links.write(BASELINE, 3)
    early = {**three, "flows": [{**flow, "leaves": 3 - i} for i, flow in enumerate(three["flows"])]}
    assert [flow.get("leaves") for flow in links.write(early, 2)["flows"]] == [None, 2]
    scenario_from(links.write(early, 2))


def test_the_panel_has_them_and_the_runs_follow(explorer: Explorer) -> None:
    before = explorer.dataset
    explorer.panel.sliders["links"].value = 2
    assert len(explorer.scenario.row()) == 2
    assert not explorer.dataset["received"].equals(before["received"])
    assert explorer.panel.sliders["host_rate_mbps"].layout.display == "none"
    explorer.panel.choices["senders"].value = "host"
    assert explorer.panel.sliders["host_rate_mbps"].layout.display is None
    explorer.panel.sliders["host_rate_mbps"].value = 1.0
    assert explorer.scenario.hosts[0].rate_mbps == 1.0
    assert explorer.dataset["dropped"].sum() == 0, "the host is slower than the bottleneck behind it"


def test_what_a_variant_cannot_is_said_and_nothing_changes(explorer: Explorer) -> None:
    explorer.panel.rows[0].value = "vegas"
    explorer.panel.switches["ecn"].value = True
    assert "ecn" in explorer.charts.status["text"]
    assert not any(flow.get("ecn") for flow in explorer.setting["flows"])
    assert not explorer.panel.switches["ecn"].value


def test_sparing_a_packet_answers_until_when_the_runs_are_alike(explorer: Explorer) -> None:
    dropped = explorer.dataset["packet_dropped"].values & (explorer.dataset["packet_flow"].values == 2)
    when = float(explorer.dataset["packet_enqueued_s"].values[dropped][0])
    number = 1 + int(dropped[explorer.dataset["packet_flow"].values == 2].argmax())
    explorer._touched({"do": "fate", "run": 0, "flow": 2, "number": number, "fate": "spared"})
    assert explorer.charts.answer.startswith(
        f"Packet {number} of flow 2 spared. Alike until {when:.4f} s. In the end flow 1 "
    )
    explorer._touched({"do": "fate", "run": 0, "flow": 1, "number": 10**6, "fate": "lost"})
    assert explorer.charts.answer.endswith("Both runs are the same.")
