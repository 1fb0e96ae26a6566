"""The send jitter and the pace: when a delay is drawn, what it holds back, and what it doesn't."""

from typing import Any

import pytest

from simcore import simulate
from simcore.rules.mrg32k3a import seeded, uniform
from simcore.rules.recovery import recovery
from simcore.rules.tcp import send_delay
from simcore.rules.tcp import sender as tcp
from tests.simcore.scenes import scene, tcp_flow
from tests.simcore.script import under_way


def test_a_delay_is_uniform_between_nothing_and_the_jitter() -> None:
    state = under_way(5, 8, send_jitter_s=0.004)
    stream = seeded(7)
    delays = [send_delay.delay_s(state, tcp.SEND, stream, 0.0) for _ in range(1000)]
    other = seeded(7)
    assert delays[:3] == [0.004 * uniform(other) for _ in range(3)]
    assert 0 < min(delays) < 0.0001
    assert 0.0039 < max(delays) < 0.004
    assert sum(delays) / 1000 == pytest.approx(0.002, rel=0.05)


def test_while_it_lasts_the_sender_is_held_back_and_then_sends_at_once() -> None:
    state = under_way(5, 8, send_jitter_s=0.004)
    send_delay.delay_s(state, tcp.SEND, seeded(1), 0.0)
    assert state.held_back
    assert send_delay.delay_ended(state) == tcp.SEND_NOW
    assert not state.held_back


@pytest.mark.parametrize(("acked", "cwnd", "may"), [(5, 3.0, False), (5, 4.0, True), (6, 3.0, True)])
def test_nothing_is_drawn_while_the_window_lets_nothing_go(acked: int, cwnd: float, may: bool) -> None:
    """Segments up to 8 were sent: with 5 acknowledged a window of 3 is full, and one of 4 is not."""
    for variant in ("tahoe", "reno", "newreno", "sack", "vegas"):
        assert recovery.may_send(under_way(acked, 8, variant=variant, cwnd=cwnd)) is may


def test_nor_when_the_application_has_no_more() -> None:
    for variant in ("reno", "sack"):
        assert not recovery.may_send(under_way(8, 8, variant=variant, cwnd=9.0, data_end=9))


def test_ns2s_sack_sender_draws_in_recovery_even_when_it_will_find_nothing_to_send() -> None:
    """Its loop asks for room in the network alone, and for an application that was not through when the loss came."""

    def recovering(**changes: Any) -> Any:
        known = {"recovering": True, "cwnd": 10.0, "pipe": 4, "ack_at_loss": 5, "window": 14}
        return under_way(5, 19, variant="sack", **known | changes)

    assert recovery.may_send(recovering())
    assert recovery.next_segment(recovering()) == tcp.NO_SEGMENT
    assert not recovery.may_send(recovering(pipe=10))
    assert not recovery.may_send(recovering(data_end=6))


def test_newreno_sends_what_was_held_back_as_one_burst() -> None:
    """Without a jitter, an ACK in recovery releases two packets at most."""
    for jitter_s, burst in ((0.0, 2), (0.004, tcp.ENDLESS)):
        state = under_way(5, 15, variant="newreno", send_jitter_s=jitter_s, duplicate_acks=3)
        recovery.ack_arrived(state, 5, 1.0)
        assert state.recovery_state.burst_left == burst


@pytest.mark.parametrize("engine", ["process", "compiled"])
def test_the_first_packet_of_a_flow_is_late_by_one_draw(engine: str) -> None:
    """The sender's clock has drawn two numbers of the same stream before."""
    scenario = scene(tcp_flow(send_jitter_ms=4), end_s=0.5, seed=11)
    stream = seeded(11)
    draws = [uniform(stream) for _ in range(3)]
    assert float(simulate(scenario, engine)["packet_sent_s"][0]) == 0.1 + 0.004 * draws[2]


@pytest.mark.parametrize("engine", ["process", "compiled"])
def test_a_jitter_of_nothing_is_none(engine: str) -> None:
    none, nothing = (simulate(scene(tcp_flow(**given), end_s=5), engine) for given in ({}, {"send_jitter_ms": 0}))
    assert none.drop_attrs().identical(nothing.drop_attrs())
