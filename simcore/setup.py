"""What every engine builds a scenario's network from: states at t = 0, and what ns-2 leaves at its defaults."""

from math import inf
from typing import Final

from simcore.profiles import Profile
from simcore.rules import cbr
from simcore.rules.mrg32k3a import Stream, seeded, uniform
from simcore.rules.sink import SinkState, ring_length
from simcore.rules.source import SourceState
from simcore.rules.tcp import TcpState
from simcore.rules.variants import VARIANTS
from simcore.scenario import CbrFlow, ReplayFlow, Scenario, TcpFlow, UdpFlow

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


def source_state(flow: UdpFlow) -> SourceState:
    """A UDP source before it starts."""
    if isinstance(flow, ReplayFlow):
        return SourceState(times_s=[*flow.times_s, inf])
    interval_s = cbr.interval_s(flow.packet_bytes, flow.rate_mbps * 1e6)
    if isinstance(flow, CbrFlow):
        return SourceState(interval_s)
    return SourceState(interval_s, mean_burst_packets=flow.burst_s / interval_s, mean_idle_s=flow.idle_s)


def random_numbers(scenario: Scenario) -> tuple[list[float], Stream]:
    """The phases of the TCP senders' clocks, in the order of the flows, and the stream that the sources draw from.

    In ns-2 every TCP agent draws one number when it is created and a second, the one that counts, when the run
    starts: of n senders on one node the i-th (from 0) has draw n + i.
    """
    senders = sum(isinstance(flow, TcpFlow) for flow in scenario.flows)
    stream = seeded(scenario.seed)
    draws = [uniform(stream) for _ in range(2 * senders)]
    return [scenario.profile.tick_s * draw for draw in draws[senders:]], stream
