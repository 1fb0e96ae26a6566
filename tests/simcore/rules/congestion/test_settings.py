"""Settings of controls: `variant: {cubic: {beta: 0.5}}` beside the plain name."""

from typing import Any

import jsonschema
import pytest
import xarray as xr

from simcore import Scenario, ScenarioError, scenario_from, simulate
from simcore.network.states import tcp_state
from simcore.rules.congestion import control
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.tcp.sender import TcpState, window_was_cut
from simcore.scenario.change import changed
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import PROFILES
from simcore.scenario.schema import scenario_schema
from tests.simcore.scenes import mapping, tcp_flow


def flow(variant: object, **fields: Any) -> TcpFlow:
    [chosen] = scenario_of(variant, **fields).flows
    assert isinstance(chosen, TcpFlow)
    return chosen


def scenario_of(variant: object, **fields: Any) -> Scenario:
    return scenario_from(mapping(tcp_flow(window_packets=1000, **{"variant": variant} | fields)))


def after_a_loss(variant: object, profile: str = "ns-2.35", **fields: Any) -> Any:
    """A sender with a window of 100 packets that has just lost one."""
    state = tcp_state(flow(variant, **fields), PROFILES[profile], boot_s=0.0)
    state.cwnd = 100.0
    cut(state)
    return state


def cut(state: TcpState) -> None:
    control.loss_detected(state, now=0.0)
    window_was_cut(state)


@pytest.mark.parametrize(("variant", "left"), [("cubic", 70.0), ({"cubic": {"beta": 0.5}}, 50.0)])
def test_beta_is_what_a_loss_leaves(variant: object, left: float) -> None:
    assert after_a_loss(variant).cwnd == left


@pytest.mark.parametrize(("variant", "ssthresh"), [("cubic", 70.0), ({"cubic": {"beta": 0.5}}, 50.0)])
def test_linux_cubic_takes_the_settings_of_cubic(variant: object, ssthresh: float) -> None:
    """In 1024ths: Linux has 717 for 0.7."""
    assert after_a_loss(variant, profile="linux").ssthresh == ssthresh


@pytest.mark.parametrize(("converges", "plateau"), [(True, 70.0 * 1.7 / 2), (False, 70.0)])
@pytest.mark.parametrize("profile", ["ns-2.35", "linux"])
def test_fast_convergence_can_be_left_out(converges: bool, plateau: float, profile: str) -> None:
    state = after_a_loss({"cubic": {"fast_convergence": converges}}, profile)
    state.cwnd = 70.0
    cut(state)
    remembered = state.control_state
    last = remembered.last_max if profile == "linux" else remembered.plateau
    assert last == pytest.approx(plateau, abs=1)  # Linux: whole packets


def test_a_growth_has_settings_too() -> None:
    assert after_a_loss("newreno", growth={"cubic": {"beta": 0.5}}).cwnd == 50.0


def test_settings_that_are_the_defaults_are_none() -> None:
    assert scenario_of({"cubic": {"beta": 0.7}}) == scenario_of("cubic")
    assert scenario_of({"cubic": {}}) == scenario_of("cubic")
    assert scenario_of({"cubic": {"beta": 0.5}}) != scenario_of("cubic")


@pytest.mark.parametrize(
    ("variant", "growth"), [({"cubic": {"beta": 0.5}}, None), ("newreno", {"highspeed": {"low_window": 50}})]
)
def test_the_yaml_gives_them_back(variant: object, growth: object) -> None:
    given = scenario_of(variant, growth=growth)
    again = scenario_from(given.to_mapping())
    assert again == given
    assert again.flows[0].settings == given.flows[0].settings is not None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("variant", "problem"),
    [
        ({"cubic": {"beta": 1}}, "variant.cubic.beta: 1 is not allowed; must be less than 1"),
        ({"cubic": {"bta": 0.5}}, "variant.cubic.bta: unknown key, given 0.5; allowed here: c, beta, fast_convergence"),
        ({"cubic": 3}, "variant.cubic: 3 is not allowed; must be a mapping"),
        ({"reno": {"beta": 0.5}}, "variant.reno: reno has no settings; must be the name alone"),
        ({}, "variant: {} is not allowed; must be a name, or one name with its settings"),
        (
            {"highspeed": {"high_window": 38}},
            "variant.highspeed.high_window: 38.0 is not allowed; must be greater than low_window, 38.0",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(variant: object, problem: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        scenario_of(variant)
    assert str(refused.value) == f"flows.0.{problem}"


def test_settings_of_a_control_that_the_flow_does_not_have_are_refused() -> None:
    with pytest.raises(ScenarioError, match=r"flows\.0\.variant\.cubic: not allowed beside growth"):
        scenario_of({"cubic": {"beta": 0.5}}, growth="highspeed")


@pytest.mark.parametrize("engine", ["process", "compiled"])
def test_a_path_leads_to_a_setting(engine: str) -> None:
    """As in sweeps and chapters: the name in the path is the one that is chosen, and has room for settings."""
    plain = mapping(tcp_flow(variant="cubic", window_packets=100), tcp_flow(variant="cubic", window_packets=100))
    gentle = scenario_from(changed(plain, {"flows.*.variant.cubic.beta": 0.9}))
    runs = [simulate(scenario, engine) for scenario in (scenario_from(plain), gentle)]
    assert int(runs[0]["dropped"].sum()) < int(runs[1]["dropped"].sum())


def test_the_engines_agree() -> None:
    flows = [
        tcp_flow(variant={name: settings}, window_packets=60)
        for name, settings in {
            "cubic": {"beta": 0.6, "c": 0.8},
            "highspeed": {"low_window": 5},
            "westwood": {"history": 0.5},
            "vegas": {"alpha": 2, "beta": 5},
        }.items()
    ]
    ours, theirs = (simulate(scenario_from(mapping(*flows)), engine) for engine in ("process", "compiled"))
    xr.testing.assert_identical(ours.drop_attrs(), theirs.drop_attrs())


@pytest.mark.parametrize("name", [name for name, control in CONTROLS.items() if control.settings])
def test_the_schema_knows_them(name: str) -> None:
    """Every setting with its bounds: the examples are allowed, a text is not."""
    schema, settings = scenario_schema(), CONTROLS[name].settings
    assert settings
    for field, said in settings.model_fields.items():
        [example] = said.examples or []
        for value, allowed in ((example, True), ("text", False)):
            given = mapping(tcp_flow(variant="sack", growth={name: {field: value}}))
            found = [*jsonschema.Draft202012Validator(schema).iter_errors(given)]
            assert (found == []) == allowed, field
