"""The trials of lab 6: the workbook's own senders pass, and each kind of reckless one is caught."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from simcore.rules.recovery import reno
from simcore.rules.recovery.registry import RECOVERIES, register
from simcore.rules.tcp.sender import FAST_RETRANSMIT, NOTHING, TcpState
from workbook.teaching import trials


@pytest.mark.parametrize("variant", ["tahoe", "reno", "newreno", "sack", "cubic", "westwood"])
def test_the_workbooks_own_senders_pass(variant: str) -> None:
    table = trials.obeys(variant)
    assert len(table) == 12
    assert (table["dropped"] > 0).sum() > 4, "it was asked to give way"
    assert (table["received"] > table["dropped"]).all()


def never_gives_way(tcp: TcpState, own: object, ack: int, now: float) -> int:
    before = tcp.cwnd
    to_do = reno.ack_arrived(tcp, own, ack, now)
    tcp.cwnd = max(before, tcp.cwnd)
    return to_do


def closes_its_window(tcp: TcpState, own: object, ack: int, now: float) -> int:
    to_do = reno.ack_arrived(tcp, own, ack, now)
    if tcp.cause == FAST_RETRANSMIT:
        tcp.cwnd, tcp.inflation = 0.2, 0
    return to_do


def skips_a_segment(tcp: TcpState, own: object, ack: int, now: float) -> int:
    to_do = reno.ack_arrived(tcp, own, ack, now)
    tcp.next_seq += ack == 5
    return to_do


def ignores_the_receiver(tcp: TcpState, own: object, ack: int, now: float) -> int:
    to_do = reno.ack_arrived(tcp, own, ack, now)
    tcp.cwnd, tcp.window = 100.0, 1000
    return to_do


def never_answers(tcp: TcpState, own: object, ack: int, now: float) -> int:
    return NOTHING


@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        (never_gives_way, "cwnd did not fall at a fast_retransmit"),
        (closes_its_window, "fell below one packet"),
        (skips_a_segment, "skipped a segment"),
        (ignores_the_receiver, "more than the receiver's window"),
        (never_answers, "hardly a packet got through"),
    ],
)
def test_a_reckless_sender_is_caught_and_told_where(
    rule: Callable[[TcpState, object, int, float], int], broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RECOVERIES, "mine", RECOVERIES["reno"])  # taken away again after the test
    register("mine", SimpleNamespace(ack_arrived=rule, timer_expired=reno.timer_expired))
    with pytest.raises(AssertionError, match=rf"'mine' on .* Mb/s, .* ms, .* packets of buffer: .*{broken}"):
        trials.obeys("mine")
