"""What every engine builds a scenario's network from: states at t = 0, and what ns-2 leaves at its defaults."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from simcore.profiles import Profile
from simcore.rules.mrg32k3a import uniforms
from simcore.rules.sink import SinkState, ring_length
from simcore.rules.tcp import TcpState
from simcore.rules.variants import VARIANTS
from simcore.scenario import Scenario, TcpFlow

REVERSE_BUFFER_PACKETS: Final = 50  # ns-2's default queue-limit; a limit is set for one direction, the other keeps it


def tcp_state(flow: TcpFlow, profile: Profile, boot_s: float) -> TcpState:
    """A sender's state before it starts."""
    return VARIANTS[flow.variant].state(
        window=flow.window_packets,
        ssthresh=float(flow.window_packets),
        initial_window=float(profile.initial_window_packets),
        rto_s=profile.initial_rto_s,
        min_rto_s=profile.min_rto_s,
        max_rto_s=profile.max_rto_s,
        tick_s=profile.tick_s,
        boot_s=boot_s,
        whole_packet_cut=profile.whole_packet_cut,
        recovery_exit_marked=profile.recovery_exit_marked,
        limited_transmit=profile.limited_transmit,
    )


def sink_state(flow: TcpFlow, profile: Profile) -> SinkState:
    """A receiver's state before anything arrives."""
    return SinkState(arrived=bytearray(ring_length(flow.window_packets)), delay_s=profile.ack_delay_s)


def boot_phases_s(scenario: Scenario) -> Iterator[float]:
    """The phases of the TCP senders' clocks, in the order of the flows.

    In ns-2 every TCP agent draws one number when it is created and a second, the one that counts, when the run
    starts: of n senders on one node the i-th (from 0) has draw n + i.
    """
    senders = sum(isinstance(flow, TcpFlow) for flow in scenario.flows)
    draws = islice(uniforms(scenario.seed), senders, 2 * senders)
    return (scenario.profile.tick_s * draw for draw in draws)
