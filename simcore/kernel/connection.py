"""The two hosts of a flow, and the sockets in them, before the run begins."""

import socket
from typing import Final, NamedTuple

from simcore.kernel.host import PORT, Host, Side, carry_at_once, check_namespace
from simcore.kernel.refusals import congestion_of
from simcore.kernel.segments import HEADERS_BYTES
from simcore.kernel.settings import Settings
from simcore.kernel.start import CLONE_NEWNET, errno_of_unshare
from simcore.network.states import segment_bytes
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import Profile

CWND_LOCKED: Final = 1 << 7  # RTAX_CWND in RTAX_LOCK: Linux, include/uapi/linux/rtnetlink.h
PACKET_OVERHEAD_BYTES: Final = 2048  # more than the kernel's own memory for a packet in a buffer
SPARE_BYTES: Final = 1 << 20
LARGEST_WINDOW: Final = (1 << 30) - 1  # bytes: RFC 7323, section 2.3


class Connection(NamedTuple):
    """A connection that is yet to be made."""

    sender: Host
    client: socket.socket
    receiver: Host
    listener: socket.socket
    payload_bytes: int  # of a data segment
    window_bytes: int


def connection_of(flow: TcpFlow, window_packets: int, profile: Profile, settings: Settings) -> Connection:
    """Make both hosts."""
    payload = segment_bytes(flow, profile).data - HEADERS_BYTES - settings.option_bytes
    window = min(window_packets * payload, LARGEST_WINDOW)
    congestion = congestion_of(flow)

    receiver = _host("receiver", flow, window_packets, profile, settings)
    listener = receiver.new_socket(congestion)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_WINDOW_CLAMP, window)
    listener.listen()

    sender = _host("sender", flow, window_packets, profile, settings)
    if settings.is_textbook:
        _meet_once(sender, receiver, listener)
    client = sender.new_socket(congestion)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 1)  # the third ACK comes with the first data
    return Connection(sender, client, receiver, listener, payload, window)


def _host(side: Side, flow: TcpFlow, window_packets: int, profile: Profile, settings: Settings) -> Host:
    check_namespace(errno_of_unshare(CLONE_NEWNET))
    payload = segment_bytes(flow, profile).data
    sysctls = settings.of_flow(
        window_packets * payload,
        window_packets * (payload + PACKET_OVERHEAD_BYTES) + SPARE_BYTES,
        selective_acks=flow.rules().recovery.selective_acks,
        ecn=bool(flow.ecn),
        is_sender=side == "sender",
    )
    return Host(side, payload, sysctls, _route(side, flow, window_packets, profile) if settings.is_textbook else {})


def _route(side: Side, flow: TcpFlow, window: int, profile: Profile) -> dict[str, int]:
    """What `ip route` calls initcwnd, cwnd (locked) and quickack."""
    if side == "sender":
        return {"initcwnd": min(profile.initial_window_packets, window), "cwnd": window, "lock": CWND_LOCKED}
    return {"quickack": 1} if flow.sink == "immediate" else {}


def _meet_once(sender: Host, receiver: Host, listener: socket.socket) -> None:
    """Let the hosts meet before the run: the sender then has saved metrics of its peer, and reads the route's limit.

    Without that limit, cwnd grows past what the receiver allows, and a loss then halves too large a window (Linux,
    net/ipv4/tcp_metrics.c: tcp_init_metrics() returns where there are none).
    """
    before = sender.new_socket("reno", PORT + 1)
    sender.connect(before)
    carry_at_once(sender, receiver)
    accepted, _ = listener.accept()
    before.close()
    carry_at_once(sender, receiver)
    accepted.close()
    carry_at_once(sender, receiver)
