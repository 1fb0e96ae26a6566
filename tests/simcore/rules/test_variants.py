"""Loss recoveries and congestion controls: what may be combined, and that what one remembers is no other's business."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
import xarray as xr

from simcore import ScenarioError, scenario_from, simulate
from simcore.rules.congestion import registry as controls
from simcore.rules.recovery import registry as recoveries
from simcore.rules.recovery import reno
from simcore.rules.tcp.sender import SEND, TcpState
from simcore.rules.variants import VARIANTS
from simcore.scenario.flows import TcpFlow
from tests.simcore.scenes import mapping, scene, tcp_flow


@dataclass(slots=True)
class Averages:
    """Fields that Vegas's recovery has as well, where they are real numbers."""

    deviation: int = 0
    smoothed_rtt: int = 0


def counts_acks(tcp: TcpState, state: Averages, ack: int, now: float) -> int:
    """A student's recovery: Reno, but the window shrinks by what its whole-numbered averages say."""
    state.smoothed_rtt += (ack - state.smoothed_rtt) // 8
    state.deviation += (abs(ack - state.smoothed_rtt) - state.deviation) // 4
    to_do = reno.ack_arrived(tcp, state, ack, now)
    if ack % 50 == 0 and tcp.duplicate_acks == 0:
        tcp.cwnd = max(tcp.cwnd - state.deviation % 5, 2.0)
    return to_do | SEND


def counts_growth(tcp: TcpState, state: Averages, now: float) -> None:
    """A student's control: an eighth of a packet more for every ACK, but for some."""
    state.smoothed_rtt += 3
    state.deviation = state.smoothed_rtt // 2
    if state.deviation % 7:
        tcp.cwnd += 0.125


@pytest.fixture
def student() -> Iterator[None]:
    recoveries.register(
        "mine", SimpleNamespace(State=Averages, ack_arrived=counts_acks, timer_expired=reno.timer_expired)
    )
    controls.register("whole", SimpleNamespace(State=Averages, data_acknowledged=counts_growth))
    yield
    del recoveries.RECOVERIES["mine"], controls.CONTROLS["whole"]


@pytest.mark.usefixtures("student")
def test_fields_of_the_same_name_never_meet() -> None:
    """They did: 1543 and 923 packets in the process model, 2770 and 52 compiled."""
    flows = [tcp_flow(variant="mine"), tcp_flow(variant="vegas"), tcp_flow(variant="newreno", growth="whole")]
    ours, theirs = (simulate(scene(*flows), engine) for engine in ("process", "compiled"))
    xr.testing.assert_identical(ours.drop_attrs(), theirs.drop_attrs())
    assert set(ours["received"].values) != {0}


@pytest.mark.usefixtures("student")
def test_who_registers_a_control_has_a_variant_and_a_growth() -> None:
    assert (VARIANTS["whole"].recovery.name, VARIANTS["whole"].control.name) == ("reno", "whole")
    assert "whole" in VARIANTS["sack"].controls()


@pytest.mark.parametrize("register", [controls.register, recoveries.register])
def test_a_name_that_cannot_be_a_field_is_refused(register) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="'my own' is not allowed; must be letters, digits and _"):
        register("my own", SimpleNamespace())


def test_a_rule_of_another_state_is_refused() -> None:
    """Its fields would be missing in the middle of a run, or be somebody else's."""
    with pytest.raises(TypeError, match=r"mine\.data_acknowledged takes a Averages, but its state is a Stateless"):
        controls.register("mine", SimpleNamespace(data_acknowledged=counts_growth))
    assert "mine" not in controls.CONTROLS


@pytest.mark.parametrize(
    ("variant", "growth", "problem"),
    [
        ("vegas", "cubic", "flows.0.growth: cubic is not allowed with vegas; allowed: vegas"),
        ("vegas", "standard", "flows.0.growth: standard is not allowed with vegas; allowed: vegas"),
        (
            "reno",
            "vegas",
            "flows.0.growth: vegas is not allowed with reno; allowed: standard, highspeed, westwood, cubic",
        ),
        ("reno", "bbr", "flows.0.growth: bbr is not allowed with reno; allowed: standard, highspeed, westwood, cubic"),
        (
            "reno",
            "ledbat",
            "flows.0.growth: 'ledbat' is not known; allowed: standard, vegas, highspeed, westwood, cubic",
        ),
    ],
)
def test_a_combination_that_means_nothing_is_refused(variant: str, growth: str, problem: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        scenario_from(mapping(tcp_flow(variant=variant, growth=growth)))
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize("variant", ["tahoe", "reno", "newreno", "sack", "cubic"])
@pytest.mark.parametrize("growth", ["standard", "highspeed", "cubic"])
def test_every_other_recovery_works_with_every_other_control(variant: str, growth: str) -> None:
    (flow,) = scene(tcp_flow(variant=variant, growth=growth)).flows
    assert isinstance(flow, TcpFlow)
    rules = flow.rules()
    assert (rules.recovery.name, rules.control.name) == ("sack" if variant == "cubic" else variant, growth)


def test_a_control_named_as_variant_is_its_usual_recovery_with_it() -> None:
    named, spelled = (
        simulate(scene(tcp_flow(**flow))) for flow in ({"variant": "cubic"}, {"variant": "sack", "growth": "cubic"})
    )
    xr.testing.assert_identical(named["received"], spelled["received"])
    xr.testing.assert_identical(named["update_cwnd"], spelled["update_cwnd"])
