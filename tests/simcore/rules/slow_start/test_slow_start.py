"""Slow start by its name: what a scenario may say, and who opens the window when."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import xarray as xr

from simcore import ScenarioError, scenario_from, simulate
from simcore.rules.congestion import registry as controls
from simcore.rules.slow_start import slow_start
from simcore.rules.slow_start.registry import CHOICES, SLOW_STARTS
from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, SLOW_START, TcpState
from simcore.scenario.schema import scenario_schema
from tests.simcore.rules.congestion.sender import sender
from tests.simcore.scenes import mapping, scene, tcp_flow


@pytest.mark.parametrize(
    ("cwnd", "grown", "cause"),
    [(4.0, 5.0, SLOW_START), (7.5, 8.5, SLOW_START), (8.0, 8.125, CONGESTION_AVOIDANCE)],
)
def test_standard_slow_start_adds_a_packet_below_ssthresh(cwnd: float, grown: float, cause: int) -> None:
    """RFC 5681, section 3.1, equations (2) and (3)."""
    state = sender("standard", cwnd, ssthresh=8.0)
    slow_start.data_acknowledged(state, now=0.0)
    assert (state.cwnd, state.cause) == (grown, cause)


def test_a_scenario_may_name_all_but_that_of_a_control() -> None:
    assert CHOICES == ("standard", "hystart_pp")
    assert {*SLOW_STARTS} == {"own", *CHOICES}
    flow = scenario_schema()["$defs"]["TcpFlow"]["properties"]["slow_start"]
    assert flow["anyOf"][0]["enum"] == ["standard", "hystart_pp"]


def test_a_file_that_names_one_is_read_again_and_a_path_leads_to_it() -> None:
    scenario = scene(tcp_flow()).changed({"flows.*.slow_start": "hystart_pp"})
    assert scenario == scene(tcp_flow(slow_start="hystart_pp"))
    assert scenario_from(scenario.to_mapping()) == scenario


@pytest.mark.parametrize(
    ("profile", "flow", "problem"),
    [
        ("rfc", {"slow_start": "limited"}, "'limited' is not known; allowed: standard, hystart_pp"),
        ("rfc", {"slow_start": "own"}, "'own' is not known; allowed: standard, hystart_pp"),
        (
            "rfc",
            {"variant": "vegas", "slow_start": "hystart_pp"},
            "'hystart_pp' is not possible with TCP Vegas, which has its own; must be left out",
        ),
        (
            "rfc",
            {"variant": "bbr", "slow_start": "standard"},
            "'standard' is not possible with BBR, which has its own; must be left out",
        ),
        (
            "linux",
            {"variant": "cubic", "slow_start": "hystart_pp"},
            "'hystart_pp' is not possible with CUBIC of Linux, which has its own; must be left out",
        ),
        (
            "linux",
            {"variant": "highspeed", "slow_start": "hystart_pp"},
            "'hystart_pp' is not possible with the stack linux; must be left out",
        ),
    ],
)
def test_what_means_nothing_is_refused(profile: str, flow: dict[str, object], problem: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        scenario_from(mapping(tcp_flow(**flow), profile=profile))
    assert str(refused.value) == f"flows.0.slow_start: {problem}"


def grows(tcp: TcpState, state: object, now: float) -> None:
    """By an eighth of a packet."""
    tcp.cwnd += 0.125
    tcp.cause = CONGESTION_AVOIDANCE


@pytest.fixture
def students() -> Iterator[None]:
    controls.register("past", SimpleNamespace(data_acknowledged=grows))
    controls.register("always", SimpleNamespace(OWN_SLOW_START=True, data_acknowledged=grows))
    yield
    del controls.CONTROLS["past"], controls.CONTROLS["always"]


@pytest.mark.usefixtures("students")
@pytest.mark.parametrize(("name", "grown"), [("past", 5.0), ("always", 4.125)])
def test_a_control_is_told_of_new_data_past_slow_start_or_of_all(name: str, grown: float) -> None:
    state = sender(name, 4.0, ssthresh=8.0)
    slow_start.data_acknowledged(state, now=0.0)
    assert state.cwnd == grown


@pytest.mark.usefixtures("students")
def test_both_engines_tell_them_alike() -> None:
    scenario = scene(tcp_flow(variant="past"), tcp_flow(variant="always"), profile="rfc")
    ours, theirs = (simulate(scenario, engine).drop_attrs() for engine in ("process", "compiled"))
    xr.testing.assert_identical(ours, theirs)
    assert ours["received"].values[0] != ours["received"].values[1]
