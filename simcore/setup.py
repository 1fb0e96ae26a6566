"""What every engine builds a scenario's network from: states at t = 0, and what ns-2 leaves at its defaults."""

from array import array
from math import inf
from typing import NamedTuple

from simcore.impairments import Impaired
from simcore.profiles import Profile
from simcore.rules import cbr, impairment, ranges
from simcore.rules.acknowledgement import MOST_BLOCKS
from simcore.rules.growth import GROWTHS
from simcore.rules.sink import SinkState
from simcore.rules.source import SourceState
from simcore.rules.tcp import ENDLESS, TcpState
from simcore.rules.variants import VARIANTS
from simcore.scenario import CbrFlow, ParetoFlow, ReplayFlow, TcpFlow, UdpFlow


class SegmentBytes(NamedTuple):
    """Sizes of a data segment and of segment 0, the SYN, headers included."""

    data: int
    syn: int


def tcp_state(flow: TcpFlow, profile: Profile, boot_s: float) -> TcpState:
    """A sender's state before it starts."""
    rules = VARIANTS[flow.variant]
    return rules.state(
        window=flow.window_packets,
        ssthresh=float(flow.window_packets),
        growth=rules.growth if flow.growth is None else GROWTHS.index(flow.growth),
        data_limit=ENDLESS if flow.transfer_bytes is None else last_segment(flow) + 1,
        initial_window=float(profile.initial_window_packets),
        rto_s=profile.initial_rto_s,
        min_rto_s=profile.min_rto_s,
        max_rto_s=profile.max_rto_s,
        tick_s=profile.tick_s,
        boot_s=boot_s,
        whole_packet_cut=profile.whole_packet_cut,
        recovery_exit_marked=profile.recovery_exit_marked,
        limited_transmit=profile.limited_transmit,
        flight_size_cut=profile.flight_size_cut,
        ecn=bool(flow.ecn),
        send_jitter_s=(flow.send_jitter_ms or 0.0) / 1e3,
        **rules.arrays(flow.window_packets),
    )


def last_segment(flow: TcpFlow) -> int:
    """The sequence number of the last segment of a transfer of so many bytes; number 0 is the SYN."""
    return -(-(flow.transfer_bytes or 0) // flow.packet_bytes)


def sink_state(flow: TcpFlow, profile: Profile) -> SinkState:
    """A receiver's state before anything arrives."""
    room = bytes(8 * ranges.room(flow.window_packets))
    return SinkState(
        early_starts=array("q", room),
        early_ends=array("q", room),
        blocks=array("q", bytes(8 * 2 * MOST_BLOCKS)),
        selective=VARIANTS[flow.variant].selective_acks,
        syn_at_once=profile.syn_acknowledged_at_once,
        delay_s=profile.ack_delay_s,
    )


def segment_bytes(flow: TcpFlow, profile: Profile) -> SegmentBytes:
    """The sizes of what a sender sends."""
    if VARIANTS[flow.variant].counts_headers:
        return SegmentBytes(flow.packet_bytes + profile.header_bytes, profile.syn_bytes)
    return SegmentBytes(flow.packet_bytes, flow.packet_bytes)


def source_state(flow: UdpFlow) -> SourceState:
    """A UDP source before it starts."""
    if isinstance(flow, ReplayFlow):
        return SourceState(times_s=[*flow.times_s, inf])
    interval_s = cbr.interval_s(flow.packet_bytes, flow.rate_mbps * 1e6)
    if isinstance(flow, CbrFlow):
        return SourceState(interval_s)
    on_off = SourceState(interval_s, flow.burst_s / interval_s, flow.idle_s)
    if isinstance(flow, ParetoFlow):
        on_off.shape = flow.shape
    return on_off


def impairment_state(flow: Impaired) -> impairment.State:
    """What befalls a flow's packets at the bottleneck, before any has come."""
    return impairment.State(
        lost=[*(flow.lost_packets or ()), impairment.NO_MORE],
        spared=[*(flow.spared_packets or ()), impairment.NO_MORE],
        loss_probability=flow.loss_probability or 0.0,
    )
