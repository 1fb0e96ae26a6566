"""A sender past slow start with a large window, for the stories of congestion controls."""

from typing import Any

from simcore.network.states import tcp_state
from simcore.rules.congestion import control
from simcore.rules.tcp.sender import TcpState, window_was_cut
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_35, Profile
from tests.simcore.scenes import tcp_flow


def sender(growth: str, cwnd: float, ssthresh: float = 2.0, profile: Profile = NS_2_35) -> Any:
    """Its recovery is SACK's."""
    flow = tcp_flow(variant="sack", growth=growth, window_packets=100_000, start_s=0.0, stop_s=1.0)
    state = tcp_state(TcpFlow.model_validate(flow), profile, boot_s=0.0)
    state.cwnd, state.ssthresh = cwnd, ssthresh
    return state


def lose(state: TcpState) -> None:
    """A loss is detected."""
    control.loss_detected(state, now=0.0)
    window_was_cut(state)
