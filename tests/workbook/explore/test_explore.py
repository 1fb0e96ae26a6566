"""The explorer without a browser: controls -> scenario -> what the charts and the table show."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simcore import Scenario, load_scenario, metrics, scenario_from, simulate
from simcore.rules.causes import CAUSES
from simcore.rules.variants import VARIANTS
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_27
from tests.simcore.scenes import tcp_flow
from workbook.chapters.chapter import Chapter
from workbook.explore import Explorer
from workbook.explore import setting as st
from workbook.explore.animation import animation
from workbook.explore.catalogue import catalogue
from workbook.explore.charts import DROPPED, View, charts
from workbook.explore.engines import LONG_RUN_PACKETS, Engines, most_packets, network_kind
from workbook.explore.explanations import why
from workbook.explore.numbers import numbers
from workbook.explore.setting import SLIDERS, Setting
from workbook.explore.widget import Charts
from workbook.paths import REPO

TWO_TCP = Chapter.load(REPO.params / "two-tcp.yaml")
BASELINE = TWO_TCP.scenario("baseline")
SETTING: Setting = BASELINE.to_mapping()


def floats(packed: bytes) -> NDArray[np.float32]:
    return np.frombuffer(packed, "<f4")


@pytest.fixture
def explorer() -> Explorer:
    return Explorer("two-tcp", "baseline")


def shown(explorer: Explorer, place: int = 0) -> dict[str, list[str]]:
    """The table above the charts."""
    return {row["name"]: row["values"] for row in explorer.charts.picture["runs"][place]["rows"]}


def chart(explorer: Explorer, name: str, place: int = 0) -> dict[str, Any]:
    return next(each for each in explorer.charts.picture["runs"][place]["charts"] if each["name"] == name)


def test_every_case_of_every_chapter_can_be_begun_with() -> None:
    cases = catalogue()
    assert cases["Two TCP flows: Baseline"] == SETTING
    assert {scenario_from(setting).name for setting in cases.values()} >= {f"two-tcp/{case}" for case in TWO_TCP.cases}


def test_a_slider_shows_the_setting_and_changes_that_alone() -> None:
    for name, slider in SLIDERS.items():
        value = slider.read(SETTING)
        if value is not None:
            assert slider.write(SETTING, value) == SETTING, name
    assert SLIDERS["udp_rate_mbps"].read(SETTING) is None
    faster = SLIDERS["rate_mbps"].write(SETTING, 3.0)
    assert scenario_from(faster) == BASELINE.model_copy(
        update={"bottleneck": BASELINE.bottleneck.model_copy(update={"rate_mbps": 3.0})}
    )


def test_flows_come_and_go_and_change_their_kinds() -> None:
    more = st.with_kinds(SETTING, ["reno", "cubic", "cbr", "pareto"])
    flows = scenario_from(more).to_mapping()["flows"]
    assert flows[0] == SETTING["flows"][0]
    assert st.kinds(more) == ["reno", "cubic", "cbr", "pareto"]
    assert {flow["packet_bytes"] for flow in flows} == {1000}
    assert scenario_from(st.with_kinds(more, ["reno", "reno"])) == BASELINE


def test_a_flow_keeps_its_own_links_when_its_kind_changes() -> None:
    dumbbell = Chapter.load(REPO.params / "background-traffic.yaml").scenario("fitted").to_mapping()
    other = st.with_kinds(dumbbell, ["vegas", *st.kinds(dumbbell)[1:]])
    assert other["flows"][0]["access"] == dumbbell["flows"][0]["access"]
    assert other["flows"][0]["window_packets"] == 100


@pytest.mark.parametrize("queue", st.QUEUE_NAMES)
def test_every_queue_keeps_the_room(queue: str) -> None:
    changed = st.with_queue(SETTING, queue)
    assert scenario_from(changed).bottleneck.queue == queue
    assert st.buffer_packets(changed) == 20
    assert st.buffer_packets(SLIDERS["buffer_packets"].write(changed, 7)) == 7


def test_a_shorter_run_stops_its_flows_as_long_before_its_end() -> None:
    shorter = SLIDERS["end_s"].write(SETTING, 5.0)
    assert [flow["stop_s"] for flow in shorter["flows"]] == [4.5, 4.5]
    apart = SLIDERS["gap_s"].write(SETTING, 2.0)
    assert [flow["start_s"] for flow in apart["flows"]] == [0.1, 2.1]
    assert scenario_from(SLIDERS["end_s"].write(apart, 1.0)).end_s == 1.0


def test_moving_a_slider_shows_the_run_of_that_setting(explorer: Explorer) -> None:
    assert shown(explorer)["Sent"] == ["1108", "1074"]  # the study's own counts
    explorer.panel.sliders["buffer_packets"].value = 5
    run = simulate(TWO_TCP.scenario("buffer-5"), "compiled")
    assert shown(explorer)["Sent"] == [str(int(value)) for value in run["sent"].values]
    assert shown(explorer)["Throughput"] == [f"{value:.0f}" for value in numbers(run).rows[0].values]
    assert sum(floats(drops["x"]).size for drops in chart(explorer, "queue")["drops"]) == int(run["dropped"].sum())
    assert explorer.panel.start.value == "(my own)"
    assert list(explorer.numbers.loc["Sent, packets"]) == run["sent"].values.tolist()


def test_two_tcp_flows_have_a_phase_plane_that_follows_the_view(explorer: Explorer) -> None:
    [run], first, second = explorer.charts.picture["runs"], *(metrics.window(simulate(BASELINE), i) for i in (1, 2))
    plane = run["plane"]
    x, y = floats(plane["x"]), floats(plane["y"])
    assert (x[-1], y[-1]) == pytest.approx((first["cwnd"].values[-1], second["cwnd"].values[-1]))
    assert (x.max(), y.max()) == pytest.approx((first["cwnd"].values.max(), second["cwnd"].values.max()))
    assert plane["capacity"] == pytest.approx(24.32 / 4.16 + 20)
    explorer._touched({"do": "zoom", "from_s": 3.0, "to_s": 4.0})
    assert floats(explorer.charts.picture["runs"][0]["plane"]["x"]).max() < x.max()
    explorer.move(lambda setting: st.with_kinds(setting, ["reno", "cbr"]))
    assert explorer.charts.picture["runs"][0]["plane"] is None


def test_a_change_that_makes_no_scenario_is_refused_in_a_line(explorer: Explorer) -> None:
    before = explorer.setting
    explorer.move(lambda setting: {**setting, "end_s": -1.0})
    assert explorer.charts.status["state"] == "wrong"
    assert explorer.charts.status["text"].startswith("end_s: -1.0 is not allowed")
    assert explorer.setting == before


def test_two_settings_stand_side_by_side_until_the_first_is_let_go(explorer: Explorer) -> None:
    explorer.panel.keep.value = True
    explorer.panel.sliders["rate_mbps"].value = 1.0
    assert [run["title"].split(",")[0] for run in explorer.charts.picture["runs"]] == ["2 Mb/s", "1 Mb/s"]
    assert shown(explorer, 0)["Sent"] == ["1108", "1074"]
    explorer.panel.keep.value = False
    assert [run["title"].split(",")[0] for run in explorer.charts.picture["runs"]] == ["1 Mb/s"]


def test_zooming_in_shows_that_part_in_full(explorer: Explorer) -> None:
    explorer._touched({"do": "zoom", "from_s": 2.0, "to_s": 2.5})
    packets = chart(explorer, "sequence")["packets"][0]
    ds = explorer.dataset
    inside = (ds["packet_flow"] == 1) & (ds["packet_enqueued_s"] >= 2.0) & (ds["packet_enqueued_s"] <= 2.5)
    expected = ds["packet_enqueued_s"].values[inside.values] - 2.0
    np.testing.assert_array_equal(floats(packets["x"]), expected.astype("<f4"))
    explorer._touched({"do": "whole"})
    assert (explorer.charts.picture["from_s"], explorer.charts.picture["to_s"]) == (0.0, 10.5)


def test_a_dropped_packet_that_is_spared_parts_two_futures_there_and_not_before(explorer: Explorer) -> None:
    packets = chart(explorer, "sequence")["packets"][1]
    place = int(np.flatnonzero(floats(packets["fate"]) == DROPPED)[3])
    when, number = float(floats(packets["x"])[place]), int(floats(packets["number"])[place])
    explorer._touched({"do": "fate", "run": 0, "flow": 2, "number": number, "fate": "spared"})
    assert explorer.setting["flows"][1]["spared_packets"] == [number]
    assert len(explorer.charts.picture["runs"]) == 2
    before, after = simulate(BASELINE, "compiled"), explorer.dataset
    early = [ds["packet_enqueued_s"].values < when - 1e-6 for ds in (before, after)]
    assert before["packet_dropped"].values[early[0]].tolist() == after["packet_dropped"].values[early[1]].tolist()
    fates = [ds["packet_dropped"].values[ds["packet_flow"].values == 2][number - 1] for ds in (before, after)]
    assert fates == [True, False]


def test_a_packet_of_choice_is_dropped_and_pointed_out_in_both_runs(explorer: Explorer) -> None:
    explorer._touched({"do": "fate", "run": 0, "flow": 1, "number": 400, "fate": "lost"})
    for place, fate in ((0, 0), (1, DROPPED)):
        packets = chart(explorer, "sequence", place)["packets"][0]
        [named] = np.flatnonzero(floats(packets["named"]))
        assert (floats(packets["number"])[named], floats(packets["fate"])[named]) == (400, fate)
    assert explorer.charts.picture["runs"][1]["title"].startswith("packet 400 of flow 1 lost")


def test_a_setting_saved_as_yaml_is_the_same_when_it_is_loaded(explorer: Explorer, tmp_path: Path) -> None:
    explorer.panel.sliders["delay_ms"].value = 35.0
    explorer.save(tmp_path / "mine.yaml")
    assert load_scenario(tmp_path / "mine.yaml") == explorer.scenario
    other = Explorer("tcp-udp", "baseline")
    written = (tmp_path / "mine.yaml").read_bytes()
    file = {"name": "mine.yaml", "type": "", "size": len(written), "content": memoryview(written)}
    other.panel.load.value = ({**file, "last_modified": datetime.now(UTC)},)
    assert other.setting["bottleneck"] == explorer.setting["bottleneck"]
    assert other.panel.sliders["delay_ms"].value == 35.0


def test_a_file_that_is_no_scenario_is_refused_in_a_line(explorer: Explorer) -> None:
    written = b"profile: ns-2.27\nend: 3\n"
    file = {"name": "wrong.yaml", "type": "", "size": len(written), "content": memoryview(written)}
    explorer.panel.load.value = ({**file, "last_modified": datetime.now(UTC)},)
    assert explorer.charts.status["text"].startswith("wrong.yaml: end: unknown key, given 3; allowed here: name")
    assert explorer.setting == SETTING


def test_so_is_one_that_stands_for_more_than_any_memory_holds(explorer: Explorer) -> None:
    levels = ", ".join(f"&a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30))
    written = f"x: [&a0 [1], {levels}]\n".encode()
    file = {"name": "laughs.yaml", "type": "", "size": len(written), "content": memoryview(written)}
    explorer.panel.load.value = ({**file, "last_modified": datetime.now(UTC)},)
    assert explorer.charts.status["text"].startswith("laughs.yaml: not readable as YAML: aliases within aliases")
    assert explorer.setting == SETTING


def test_every_cause_is_explained_for_every_variant_with_a_source() -> None:
    for variant in VARIANTS:
        flow = TcpFlow(kind="tcp", variant=variant, packet_bytes=1, window_packets=1, start_s=0.0, stop_s=1.0)
        for cause in CAUSES:
            found = why(cause, flow, BASELINE.profile)
            assert found.title
            assert found.rule.endswith(".")
            assert found.source


def test_an_explanation_knows_the_variant_and_the_profile() -> None:
    reno, tahoe = (
        TcpFlow(kind="tcp", variant=variant, packet_bytes=1, window_packets=1, start_s=0.0, stop_s=1.0)
        for variant in ("reno", "tahoe")
    )
    then, now = BASELINE.profile, TWO_TCP.scenario("baseline", profile="rfc").profile
    assert "compared where it meant to assign" in why("fast_retransmit", reno, then).rule
    assert "compared" not in why("fast_retransmit", reno, now).rule
    assert "one packet: slow start" in why("fast_retransmit", tahoe, then).rule
    assert why("initial_window", reno, now).rule.endswith("In rfc it has 10 packets.")


def test_what_is_shown_of_a_long_run_is_little_and_keeps_its_peaks_and_losses() -> None:
    long = simulate(scenario_from(SLIDERS["end_s"].write(SETTING, 60.0)), "compiled")
    drawn = charts(long, View(0.0, 60.0, 300), {})
    queue = next(each for each in drawn if each["name"] == "queue")
    heights = floats(queue["series"][0]["y"])
    assert heights.size <= 4 * 300 + 2
    assert heights.max() == long["change_queue_packets"].values.max()
    fates = [floats(packets["fate"]) for packets in drawn[3]["packets"]]
    assert sum(int((fate == DROPPED).sum()) for fate in fates) == int(long["dropped"].sum())


def test_the_process_model_answers_until_the_compiled_engine_is_ready() -> None:
    told: list[bool] = []
    engines = Engines(told.append)
    assert engines.choose(BASELINE) == "process"
    deadline = time.monotonic() + 120  # a first compilation on a slow machine
    while not engines.is_ready and time.monotonic() < deadline:
        time.sleep(0.01)
    assert engines.choose(BASELINE) == "compiled"
    assert told == [False, True]


def test_a_long_run_waits_for_the_compiled_engine() -> None:
    long = TWO_TCP.scenario("baseline", end_s=1000)
    assert most_packets(long) > LONG_RUN_PACKETS
    assert Engines(lambda ready: None).choose(long) == "compiled"


def test_networks_are_of_one_kind_if_only_numbers_differ() -> None:
    slower = scenario_from(SLIDERS["rate_mbps"].write(SETTING, 1.0))
    other: Scenario = scenario_from(st.with_kinds(SETTING, ["reno", "tahoe"]))
    assert network_kind(slower) == network_kind(BASELINE)
    assert network_kind(other) != network_kind(BASELINE)


def test_the_packets_are_played_around_the_first_drop_or_where_one_looks(explorer: Explorer) -> None:
    explorer.panel.play.click()
    first = explorer.dataset["packet_enqueued_s"].values[explorer.dataset["packet_dropped"].values].min()
    assert f'"title":"around {first:.4f} s"' in explorer.charts.page
    explorer._touched({"do": "zoom", "from_s": 4.0, "to_s": 6.0})
    explorer.panel.play.click()
    assert '"title":"around 5.0000 s"' in explorer.charts.page
    explorer._touched({"do": "close"})
    assert explorer.charts.page == ""


def test_a_moment_is_played_with_the_packets_around_it() -> None:
    page = animation(simulate(BASELINE, "compiled"), 1.45)
    assert '"name":"TCP Reno 1"' in page
    assert '"room":19' in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_a_click_on_a_picture_of_another_setting_is_refused(explorer: Explorer) -> None:
    seen = explorer.charts.picture["version"]
    explorer.panel.sliders["buffer_packets"].value = 30
    click = {"do": "fate", "run": 0, "flow": 1, "number": 400, "fate": "lost"}
    explorer._touched({**click, "version": seen})
    assert len(explorer.charts.picture["runs"]) == 1
    assert "another setting" in explorer.charts.status["text"]
    explorer._touched({**click, "version": explorer.charts.picture["version"]})
    assert len(explorer.charts.picture["runs"]) == 2


def test_the_panel_shows_the_setting_in_which_a_packet_was_spared(explorer: Explorer) -> None:
    """Kept with drop-tail, then CoDel beside it: to spare a packet of the kept run is to go back to drop-tail."""
    explorer.panel.keep.value = True
    explorer.panel.queue.value = "codel"
    explorer._touched({"do": "fate", "run": 0, "flow": 1, "number": 400, "fate": "lost"})
    assert explorer.panel.queue.value == explorer.setting["bottleneck"]["queue"] == "droptail"


def test_the_status_says_that_it_computes(explorer: Explorer) -> None:
    told: list[str] = []
    explorer.charts.observe(lambda change: told.append(change["new"]["text"]), "status")
    explorer.panel.sliders["buffer_packets"].value = 31
    assert told[0].startswith("Computing")
    assert not told[-1].startswith("Computing")


def test_a_cause_that_a_sender_does_not_have_is_told_without_a_reason() -> None:
    flow = TcpFlow.model_validate(tcp_flow())
    assert why("path_followed", flow, NS_2_27).title == "Path followed"


def test_a_cause_that_rules_have_made_since_is_told_by_the_next_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A student's control may have one: its number has a name, and may be one of those that are passed over."""
    monkeypatch.setattr("workbook.explore.widget.CAUSES", [*CAUSES, "path_followed"])
    monkeypatch.setattr("workbook.explore.widget.USUAL", [len(CAUSES)])
    widget = Charts()
    assert (widget.causes[-1], widget.usual) == ("path_followed", [len(CAUSES)])
