"""What every engine builds a scenario's network from: states at t = 0, and what ns-2 leaves at its defaults."""

from array import array
from collections.abc import MutableSequence
from dataclasses import fields
from functools import cache
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from simcore.rules import ranges
from simcore.rules.headers.registry import header_of_receiver, header_of_sender
from simcore.rules.headers.sack import no_blocks
from simcore.rules.queues import impairment
from simcore.rules.receivers.registry import SINKS
from simcore.rules.receivers.sink import SinkState
from simcore.rules.recovery.recovery import Recovery
from simcore.rules.sources.registry import SOURCES
from simcore.rules.sources.source import SourceState, initial_state
from simcore.rules.stack import variant_in
from simcore.rules.tcp.sender import ENDLESS, TcpState
from simcore.scenario.flows import TcpFlow, UdpFlow
from simcore.scenario.losses import Impaired
from simcore.scenario.profiles import Profile

LARGEST_PLAIN_WINDOW: Final = 65_535  # bytes without the window scale option: RFC 7323, section 2
SEGMENTS_OPENED: Final = 2  # by the first one, which makes a receiver's window larger: Linux, tcp_grow_window()
OPTION_BYTES: Final = 4  # of each option of a SYN, filled up


class SegmentBytes(NamedTuple):
    """Sizes of a data segment and of segment 0, the SYN, headers included."""

    data: int
    syn: int


def tcp_state(flow: TcpFlow, profile: Profile, boot_s: float, window: int | None = None) -> TcpState:
    """A sender's state before it starts; `window` is what it can use of the receiver's, in packets, if that is less."""
    window = window or flow.window_packets
    variant = variant_in(profile.stack, flow.rules())
    recovery, control = variant.recovery, variant.control
    return TcpState(
        recovery=recovery,
        recovery_state=recovery.state(window),
        control=control,
        control_state=control.state(window, flow.settings),
        slow_start_state=variant.slow_start.state(window),
        window=window,
        ssthresh=first_ssthresh(flow, profile),
        data_limit=ENDLESS if flow.transfer_bytes is None else last_segment(flow) + 1,
        initial_window=float(profile.initial_window_packets),
        lost_syn_window=float(min(profile.lost_syn_window_packets, profile.initial_window_packets)),
        rto_s=profile.initial_rto_s,
        boot_s=boot_s,
        send_jitter_s=(flow.send_jitter_ms or 0.0) / 1e3,
        header=header_of_sender(flow.header_options()),
        blocks=blocks_for(recovery),
        **said_of(TcpState, flow, profile) | {"slow_start": variant.slow_start},  # not by its name
    )


def first_ssthresh(flow: TcpFlow, profile: Profile) -> float:
    """Where slow start ends before the first loss: at the receiver's window, or in Linux never (RFC 5681, section 3.1).

    There cwnd grows in slow start while less than twice what was outstanding (tcp_is_cwnd_limited()), in one step by no
    more than a window: three windows are as good as TCP_INFINITE_SSTHRESH, and can be drawn.
    """
    is_unlimited = profile.stack == "linux" and not profile.cwnd_clamped
    return float(flow.window_packets * (3 if is_unlimited else 1))


def said_of(state: Any, flow: TcpFlow, profile: Profile) -> dict[str, Any]:
    """What the flow and the profile say of the state's fields, under the same names. The rest keeps its defaults."""
    named = [(model, name) for model in (profile, flow) for name in _said_by(type(model), state)]
    said = [(name, getattr(model, name)) for model, name in named]
    return {name: value for name, value in said if value is not None}


@cache
def _said_by(model: type[BaseModel], state: Any) -> list[str]:
    """The fields of a model that a state has, too."""
    names = {field.name for field in fields(state)}
    return [name for name in model.model_fields if name in names]


def blocks_for(recovery: Recovery[Any]) -> MutableSequence[int]:
    """Room for the SACK blocks of an ACK, if the recovery wants them."""
    return no_blocks() if recovery.selective_acks else array("q")


def last_segment(flow: TcpFlow) -> int:
    """The sequence number of the last segment of a transfer of so many bytes; number 0 is the SYN."""
    return -(-(flow.transfer_bytes or 0) // flow.packet_bytes)


def sink_state(flow: TcpFlow, profile: Profile, window: int | None = None) -> SinkState:
    """A receiver's state before anything arrives; `window` as for the sender."""
    window = window or flow.window_packets
    room = bytes(8 * ranges.room(window))
    rules = SINKS[flow.sink]
    state = rules.state
    opened = (window + SEGMENTS_OPENED) // 2
    return state(
        rules=rules,
        early_starts=array("q", room),
        early_ends=array("q", room),
        header=header_of_receiver(flow.header_options()),
        syn_at_once=profile.syn_acknowledged_at_once,
        delay_s=profile.ack_delay_s,
        least_timeout_s=profile.min_rto_s,
        syn_option_bytes=syn_option_bytes(flow, profile),
        quick_acks=min(profile.most_quick_acks, opened),  # as often as half of the window has segments
        quick_again=min(profile.most_quick_acks, window // 2),
        # Linux, forced_push(): when more than half of the largest window was written since the last push
        push_every=opened + 1 if profile.pushes_acknowledged else 0,
        **said_of(state, flow, profile),
    )


def segment_bytes(flow: TcpFlow, profile: Profile) -> SegmentBytes:
    """The sizes of what a sender sends."""
    if flow.rules().recovery.counts_headers:
        syn_bytes = profile.syn_bytes + syn_option_bytes(flow, profile)
        return SegmentBytes(flow.packet_bytes + profile.header_bytes, syn_bytes)
    return SegmentBytes(flow.packet_bytes, flow.packet_bytes)


def syn_option_bytes(flow: TcpFlow, profile: Profile) -> int:
    """What the options of a SYN and of its ACK take: the largest segment, SACK (RFC 2018), window scale (RFC 7323)."""
    is_scaled = flow.window_packets * (flow.packet_bytes + profile.header_bytes) > LARGEST_PLAIN_WINDOW
    options = 1 + flow.rules().recovery.selective_acks + is_scaled
    return OPTION_BYTES * options if profile.syn_options else 0


def source_state(flow: UdpFlow) -> SourceState:
    """A UDP source before it starts: the state of its own kind."""
    return initial_state(SOURCES[flow.source], flow, flow.packet_bytes)


def impairment_state(flow: Impaired) -> impairment.State:
    """What befalls a flow's packets at the bottleneck, before any has come."""
    return impairment.State(
        lost=[*(flow.lost_packets or ()), impairment.NO_MORE],
        spared=[*(flow.spared_packets or ()), impairment.NO_MORE],
        loss_probability=flow.loss_probability or 0.0,
    )
