"""Scenarios: what is accepted, what comes back from `to_yaml`, and a few of the things that are refused."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from pydantic import ValidationError

from simcore import Scenario, ScenarioError, load_scenario, scenario_from
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_27, NS_2_35, OVERRIDABLE
from tests.simcore.scenes import bottleneck, mapping, scene, tcp_flow, udp_flow
from tests.strategies import scenarios

STUDY = """
profile: ns-2.27
end_s: 10.5
bottleneck: {rate_mbps: 2, delay_ms: 10, queue: droptail, buffer_packets: 20}
flows:
  - {kind: tcp, variant: reno, packet_bytes: 1000, window_packets: 20, start_s: 0.1, stop_s: 10}
  - {kind: udp, source: cbr, packet_bytes: 1000, rate_mbps: 0.95, start_s: 0.1, stop_s: 10}
"""

# What is accepted


def test_a_study_is_loaded_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "tcp-udp.yaml"
    path.write_text(STUDY)
    scenario = load_scenario(path)
    assert (scenario.name, scenario.seed, scenario.end_s, scenario.profile) == ("tcp-udp", 1, 10.5, NS_2_27)
    assert scenario.to_mapping()["bottleneck"] == {
        "rate_mbps": 2,
        "delay_ms": 10,
        "queue": "droptail",
        "buffer_packets": 20,
    }
    assert [flow.kind for flow in scenario.flows] == ["tcp", "udp"]
    assert scenario == scene(name="tcp-udp")


def test_json_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    path.write_text(json.dumps(mapping(name="given")))
    assert load_scenario(path) == scene(name="given")


def test_a_profile_is_named_and_each_of_its_facts_may_be_overridden() -> None:
    scenario = scene(profile="ns-2.35", min_rto_s=0.5, whole_packet_cut=True)
    assert scenario.profile == NS_2_35.model_copy(update={"min_rto_s": 0.5, "whole_packet_cut": True})
    for fact in OVERRIDABLE:
        assert scene(**{fact: getattr(NS_2_35, fact)}).profile == NS_2_27.model_copy(
            update={fact: getattr(NS_2_35, fact)}
        )


def test_a_whole_number_will_do_for_a_real_one_but_not_the_other_way_round() -> None:
    assert scene(end_s=10) == scene(end_s=10.0)
    with pytest.raises(
        ScenarioError, match=r"^bottleneck\.buffer_packets: 20\.0 is not allowed; must be a whole number"
    ):
        scene(bottleneck=bottleneck(buffer_packets=20.0))


@pytest.mark.parametrize(
    ("changes", "flow"),
    [
        ({"end_s": 0.2}, {"start_s": 0.19}),
        ({}, {"start_s": 0.0, "stop_s": 1e6}),  # the end may come before the stop
        ({}, {"packet_bytes": 1}),
        ({"bottleneck": bottleneck(delay_ms=0, buffer_packets=1)}, {}),
    ],
)
def test_the_edges_of_what_is_allowed(changes: dict[str, object], flow: dict[str, object]) -> None:
    assert scene(udp_flow(**flow), **changes).flows


def test_a_scenario_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        scene().end_s = 5.0


# There and back


@given(scenarios())
def test_the_yaml_of_a_scenario_gives_the_scenario_back(scenario: Scenario) -> None:
    assert scenario_from(yaml.safe_load(scenario.to_yaml())) == scenario


@given(scenarios())
def test_so_does_its_json(scenario: Scenario) -> None:
    assert scenario_from(json.loads(json.dumps(scenario.to_mapping()))) == scenario


def test_the_yaml_names_the_profile_and_only_what_differs_from_it() -> None:
    written = yaml.safe_load(scene(min_rto_s=0.2, tick_s=0.01, recovery_exit_marked=True).to_yaml())
    assert written["profile"] == "ns-2.27"
    assert {key for key in written if key in OVERRIDABLE} == {"min_rto_s", "recovery_exit_marked"}


# What is refused (the table of all bad inputs is that of the command line)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (
            mapping(colour="red"),
            "colour: unknown key, given 'red'; allowed here: name, profile, seed, random_str",
        ),
        (mapping(profile="tcp-2000"), "profile: 'tcp-2000' is not known; allowed: ns-2.27, ns-2.35"),
        (mapping(min_rto_s=-1), "min_rto_s: -1 is not allowed; must be greater than or equal to 0"),
        (mapping(tcp_flow(window_packets=0)), "flows.0.window_packets: 0 is not allowed; must be greater than or "),
        (mapping(tcp_flow(variant="westwood+")), "flows.0.variant: 'westwood+' is not known; allowed: "),
        (mapping(tcp_flow(), udp_flow(stop_s=0.1)), "flows.1.stop_s: 0.1 is not allowed; must be greater than start_s"),
        (mapping(tcp_flow(start_s=10.5, stop_s=11)), "flows.0.start_s: 10.5 is not allowed; must be less than end_s"),
        (mapping(tcp_flow(kind="sctp")), "flows.0.kind: 'sctp' is not known; allowed: tcp, udp"),
        (mapping(bottleneck=bottleneck(rate_mbps="2")), "bottleneck.rate_mbps: '2' is not allowed; must be a number"),
    ],
    ids=lambda value: value.partition(":")[0] if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said_in_one_line_with_its_place_and_what_is_allowed(
    bad: dict[str, object], problem: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario_from(bad)
    assert str(caught.value).startswith(problem)
    assert "\n" not in str(caught.value)


def test_a_problem_in_a_file_begins_with_the_files_name(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(STUDY.replace("buffer_packets: 20", "buffer_packets: 0"))
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    assert str(caught.value).startswith(f"{path}: bottleneck.buffer_packets: 0 is not allowed")


def test_a_key_given_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(STUDY + "end_s: 20\n")
    with pytest.raises(ScenarioError, match="'end_s' is given twice"):
        load_scenario(path)


# Changes


def test_a_scenario_is_changed_by_dotted_paths() -> None:
    before = scene()
    after = before.changed({"bottleneck.buffer_packets": 5, "flows.*.packet_bytes": 500, "seed": 7})
    assert after.to_mapping()["bottleneck"]["buffer_packets"] == 5
    assert [flow.packet_bytes for flow in after.flows] == [500, 500]
    assert after.seed == 7
    assert before == scene()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"bottleneck.delay_ms": -5}, "bottleneck.delay_ms: -5 is not allowed; must be greater than or equal to 0"),
        ({"botleneck": {}}, "botleneck: unknown key, given {}; allowed here: "),
        ({"flows.2.start_s": 1}, "flows.2.start_s: no element '2'; there are 2, numbered from 0"),
    ],
)  # fmt: skip
def test_a_change_that_leads_nowhere_or_is_not_allowed_is_refused(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        scene().changed(changes)
    assert str(refused.value).startswith(problem)


def test_a_copy_with_other_values_is_validated() -> None:
    """pydantic's own leaves that out: a buffer of -5 was simulated."""
    scenario = scene()
    assert scenario.model_copy(update={"seed": 7}).seed == 7
    assert scenario.model_copy() == scenario
    with pytest.raises(ValidationError, match="buffer_packets"):
        scenario.bottleneck.model_copy(update={"buffer_packets": -5})
    with pytest.raises(ValidationError, match="start_s"):
        scenario.flows[0].model_copy(update={"start_s": 11})
    with pytest.raises(ValidationError, match="no_such_field"):
        scenario.model_copy(update={"no_such_field": 1})


def test_a_copy_keeps_a_controls_settings_until_it_has_another_control() -> None:
    [flow] = scene(tcp_flow(variant={"cubic": {"beta": 0.5}})).flows
    assert isinstance(flow, TcpFlow)
    assert flow.model_copy(update={"start_s": 1.0}).settings == flow.settings is not None
    assert flow.model_copy(update={"variant": "reno"}).settings is None
