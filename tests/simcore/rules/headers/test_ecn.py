"""Explicit congestion notification, told by the sections of RFC 3168; the golden traces say that ns-2 does the same."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr

from simcore import Recording, metrics, simulate
from simcore.network.states import sink_state
from simcore.results.dataset import causes
from simcore.rules.congestion import registry
from simcore.rules.headers import header
from simcore.rules.headers.ecn_bits import CAPABLE, ECHO, EXPERIENCED, REDUCED
from simcore.rules.headers.header import Header
from simcore.rules.headers.registry import header_of_sender
from simcore.rules.receivers.sink import SinkState
from simcore.rules.recorded import Quantity
from simcore.rules.tcp import sender as tcp
from simcore.rules.tcp.sender import TcpState
from simcore.rules.variants import VARIANTS
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_35, RFC
from tests.simcore.scenes import scene, tcp_flow
from tests.simcore.script import Script, under_way

# BBR, version 1, does not answer marks
REACTING = [name for name, variant in VARIANTS.items() if variant.recovery.knows_ecn and name != "bbr"]
MARKING = {
    "rate_mbps": 2,
    "delay_ms": 10,
    "queue": "red",
    "marks": True,
    "buffer_packets": 50,
    "min_threshold_packets": 5.0,
    "max_threshold_packets": 30.0,
    "mean_packet_bytes": 1000,
}


def sender(variant: str = "reno", **fields: Any) -> Script:
    """Ten segments of twenty are acknowledged, and the window is ten."""
    usual = {"header": header_of_sender(["ecn"]), "agreed": True, "recover": 5, "ssthresh": 8.0}
    return Script(under_way(10, 20, NS_2_35, variant, **usual | fields))


def said(script: Script, seq: int) -> int:
    """What a segment that the sender sends now says."""
    own = script.tcp.header
    assert header.segment_leaves(own, script.tcp, seq, script.now) == 0  # bits take no room
    return own.flags


def gets(script: Script, ack: int, *, echo: bool = True) -> list[int]:
    """An ACK, with or without an echo."""
    own = script.tcp.header
    arrived = replace(own, flags=ECHO if echo else 0)
    header.ack_arrived(arrived, own, script.tcp, ack, script.now)
    return script.gets(ack)


def sink() -> SinkState:
    flow = TcpFlow(kind="tcp", variant="reno", packet_bytes=1000, window_packets=20, start_s=0, stop_s=10, ecn=True)
    return sink_state(flow, NS_2_35)


def comes(state: SinkState, flags: int) -> None:
    """A segment arrives that says this."""
    header.segment_arrived(replace(state.header, flags=flags), state.header, state, 1, 0.0)


def answer(state: SinkState) -> int:
    """What the ACK says that leaves now."""
    assert header.ack_leaves(state.header, state, 0.0) == 0
    return state.header.flags


# The sender, section 6.1.2


@pytest.mark.parametrize("variant", REACTING)
def test_an_echo_halves_the_window_and_nothing_is_sent_again(variant: str) -> None:
    script = sender(variant, cwnd=10.0)
    assert 11 not in gets(script, 11)
    assert script.tcp.cwnd == (7.0 if variant == "cubic" else 5.0)
    assert script.tcp.ssthresh == script.tcp.cwnd
    assert (script.tcp.last_action, script.tcp.recover) == (tcp.ECHOED, 20)


def test_the_window_is_cut_once_for_a_window_of_data_and_does_not_open_while_echoes_come() -> None:
    script = sender(cwnd=10.0)
    windows = []
    for ack in range(11, 21):
        gets(script, ack)
        windows.append(script.tcp.cwnd)
    assert windows == [5.0] * 10
    gets(script, 21, echo=False)
    assert script.tcp.cwnd == 5.2
    gets(script, 22)
    assert script.tcp.cwnd == 2.6


def test_without_ecn_an_echo_means_nothing() -> None:
    script = sender(cwnd=10.0, header=Header(), agreed=False)
    gets(script, 11)
    assert script.tcp.cwnd == 10.1


def test_the_next_segment_tells_that_the_window_was_reduced_and_only_that_one() -> None:
    script = sender(cwnd=10.0)
    assert said(script, 21) == CAPABLE
    gets(script, 11)
    assert [said(script, seq) for seq in (21, 22)] == [CAPABLE | REDUCED, CAPABLE]


@pytest.mark.parametrize("variant", REACTING)
def test_so_it_does_after_a_timeout(variant: str) -> None:
    script = sender(variant)
    script.hears_nothing()
    assert script.tcp.echoes.was_reduced


def test_the_syn_offers_ecn_and_may_not_be_marked() -> None:
    """Section 6.1.1."""
    script = sender()
    assert said(script, 0) == ECHO
    assert said(sender(header=Header()), 0) == 0


@pytest.mark.parametrize(("profile", "left"), [(NS_2_35, 0.5), (RFC, 1.0)])
def test_a_window_of_one_packet_waits_for_longer(profile: Any, left: float) -> None:
    """Section 6.1.2: the timer decides. ns-2 cuts even this window, and backs off with the second echo."""
    fields: dict[str, Any] = {
        "header": header_of_sender(["ecn"]),
        "agreed": True,
        "recover": 5,
        "cwnd": 1.0,
        "highest_sent": 11,
        "next_seq": 12,
    }
    script = Script(under_way(10, 11, profile, **fields))
    gets(script, 11)
    assert (script.tcp.cwnd, script.tcp.echoes.waits_for_timer, script.tcp.backoff) == (left, True, 1)
    script.tcp.highest_sent = 12
    gets(script, 12)
    assert (script.tcp.echoes.waits_for_timer, script.tcp.backoff) == (True, 2)
    script.tcp.highest_sent = 13
    gets(script, 13, echo=False)
    assert not script.tcp.echoes.waits_for_timer


@pytest.mark.parametrize("variant", ["reno", "newreno"])
def test_a_loss_in_a_window_that_an_echo_cut_is_repaired_without_another_cut(variant: str) -> None:
    script = sender(variant, cwnd=10.0)
    gets(script, 11)
    sent = [gets(script, 11, echo=False) for _ in range(3)]
    assert sent[2][0] == 12
    assert (script.tcp.cwnd, script.tcp.last_action) == (5.0, tcp.DUPLICATE_ACKS)


def test_tahoe_begins_again_with_a_window_of_one_but_keeps_the_threshold() -> None:
    script = sender("tahoe", cwnd=10.0)
    gets(script, 11)
    for _ in range(3):
        gets(script, 11, echo=False)
    assert (script.tcp.cwnd, script.tcp.ssthresh, script.tcp.next_seq) == (1.0, 5.0, 13)


def test_a_timeout_after_an_echo_leaves_the_threshold_as_well() -> None:
    script = sender(cwnd=10.0)
    gets(script, 11)
    script.hears_nothing()
    assert (script.tcp.cwnd, script.tcp.ssthresh) == (1.0, 5.0)


# The receiver, section 6.1.3


def test_a_mark_is_echoed_until_the_sender_has_answered() -> None:
    state = sink()
    answers = []
    for flags in (CAPABLE, CAPABLE | EXPERIENCED, CAPABLE, CAPABLE | REDUCED, CAPABLE):
        comes(state, flags)
        answers.append(answer(state))
    assert answers == [0, ECHO, ECHO, 0, 0]


def test_a_mark_on_the_answer_itself_is_a_new_one() -> None:
    state = sink()
    comes(state, CAPABLE | REDUCED | EXPERIENCED)
    assert answer(state) == ECHO


def test_an_ack_for_two_segments_echoes_the_mark_of_either() -> None:
    for first, second in ((CAPABLE | EXPERIENCED, CAPABLE), (CAPABLE, CAPABLE | EXPERIENCED)):
        state = sink()
        comes(state, first)
        comes(state, second)
        assert answer(state) == ECHO


def test_a_syn_that_offers_ecn_is_answered_with_yes_once() -> None:
    """Section 6.1.1."""
    state = sink()
    comes(state, ECHO)
    assert answer(state) == ECHO
    comes(state, CAPABLE)
    assert answer(state) == 0


# Together


@pytest.fixture(scope="module", params=["process", "compiled"])
def marked(request: pytest.FixtureRequest) -> xr.Dataset:
    """A sender with ECN and one without, on a link that marks."""
    flows = [tcp_flow(ecn=True), tcp_flow()]
    return simulate(scene(*flows, profile="ns-2.35", bottleneck=MARKING), request.param)


def test_the_flow_with_ecn_is_marked_where_the_other_loses(marked: xr.Dataset) -> None:
    assert marked["marked"].values[0] > 5
    assert marked["marked"].values[1] == 0
    assert marked["dropped"].values[0] < marked["dropped"].values[1]


def test_marks_are_seen_on_the_packets_and_counted(marked: xr.Dataset) -> None:
    rows = marked["packet_marked"].values
    assert np.bincount(marked["packet_flow"].values[rows], minlength=3)[1:].tolist() == marked["marked"].values.tolist()
    assert not marked["packet_dropped"].values[rows].any()
    assert marked["event_kind"].values.max() == 3, "ns-2 traces no marks"


def test_a_cut_for_an_echo_has_a_name_of_its_own(marked: xr.Dataset) -> None:
    mine = marked["update_flow"].values == 1
    names = causes(marked).values
    echoes = int((names[mine] == "congestion_echo").sum())
    assert 0 < echoes <= int(marked["marked"][0])
    assert not (names[~mine] == "congestion_echo").any()


@dataclass(slots=True)
class Counted:
    """What a control remembers that counts."""

    echoes: int = 0


def counted(tcp: TcpState, state: Counted, ack: int, now: float) -> None:
    """An ACK comes."""
    if tcp.echoes.is_echo:
        state.echoes += 1


@pytest.fixture
def counting() -> Iterator[None]:
    """A control that counts echoes, and does as standard TCP."""
    quantity = {"echoes": Quantity("ACKs that echoed a mark", "1")}
    rules = SimpleNamespace(NAME="counting", State=Counted, RECORDED=quantity, RECOVERY="reno", ack_arrived=counted)
    registry.register("counting", rules)
    yield
    del registry.CONTROLS["counting"]


@pytest.mark.usefixtures("counting")
def test_a_control_hears_each_echo_and_is_told_to_act_once_a_window() -> None:
    """Section 6.1.3: a receiver repeats an echo until it is answered. What a control makes of that is its own."""
    scenario = scene(tcp_flow(variant="counting", ecn=True), profile="ns-2.35", bottleneck=MARKING)
    runs = [simulate(scenario, engine, Recording(states=True)) for engine in ("process", "compiled")]
    heard = [metrics.sender_state(run, 1, "counting_echoes").values[-1] for run in runs]
    cuts = metrics.times_of(runs[0], 1, "congestion_echo").size
    assert heard[0] == heard[1] > int(runs[0]["marked"][0]) >= cuts > 5
