"""Machine code is named after all that decides what it does: of rules from elsewhere, too."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from simcore import simulate
from simcore.compiled.sources import sources_hash
from simcore.rules import causes
from simcore.rules.congestion import registry
from simcore.rules.tcp.sender import TcpState
from tests.simcore.scenes import scene, tcp_flow

LEFT = 0.5  # of the window, after a loss


def part(tcp: TcpState) -> float:
    """What a rule calls."""
    return LEFT * tcp.cwnd


def loss_detected(tcp: TcpState, state: object, now: float) -> None:
    """A rule with a constant that it names itself."""
    tcp.cwnd = LEFT * tcp.cwnd
    tcp.ssthresh = tcp.cwnd


def loss_detected_elsewhere(tcp: TcpState, state: object, now: float) -> None:
    """A rule with a constant in what it calls."""
    tcp.cwnd = part(tcp)
    tcp.ssthresh = tcp.cwnd


@pytest.fixture(params=[loss_detected, loss_detected_elsewhere])
def registered(request: pytest.FixtureRequest) -> Iterator[None]:
    """A control of our own."""
    rule: Callable[..., None] = request.param
    registry.register("mine", SimpleNamespace(NAME="mine", RECOVERY="reno", loss_detected=rule))
    yield
    del registry.CONTROLS["mine"]


@pytest.mark.usefixtures("registered")
def test_another_constant_is_another_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook where somebody turns a number and runs again; what was compiled before would not see it."""
    scenario, received = scene(tcp_flow(variant="mine", window_packets=60)), []
    for left in (0.5, 0.9, 0.5):
        monkeypatch.setattr(f"{__name__}.LEFT", left)
        runs = [simulate(scenario, engine) for engine in ("process", "compiled")]
        assert runs[0]["received"].identical(runs[1]["received"])
        received.append(int(runs[1]["received"][0]))
    assert received[0] == received[2] != received[1]


@pytest.mark.usefixtures("registered")
def test_the_same_rules_have_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sources_hash()
    assert sources_hash() == before
    monkeypatch.setattr(f"{__name__}.LEFT", 0.9)
    assert sources_hash() != before


def test_what_a_log_may_leave_out_is_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sources_hash()
    monkeypatch.setattr(causes, "USUAL", causes.USUAL[:])
    monkeypatch.setattr("simcore.compiled.sources.USUAL", [*causes.USUAL, 5])
    assert sources_hash() != before
