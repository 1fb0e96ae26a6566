"""A TCP sender alone with us, as in packetdrill: we say what arrives, it says what it sends. No network, no clock."""

from dataclasses import replace
from itertools import chain
from typing import Any

from simcore.profiles import NS_2_27, Profile
from simcore.rules import rto, tcp
from simcore.rules.variants import VARIANTS
from simcore.scenario import TcpFlow
from simcore.setup import tcp_state


def sender(profile: Profile = NS_2_27, variant: str = "reno", **fields: Any) -> Any:
    """A sender before it starts, with a window of 20 packets; and whatever else is given."""
    flow = TcpFlow(kind="tcp", variant=variant, packet_bytes=1000, window_packets=20, start_s=0, stop_s=10)
    return replace(tcp_state(flow, profile, boot_s=0.0), **fields)


def under_way(acked: int, sent: int, profile: Profile = NS_2_27, variant: str = "reno", **fields: Any) -> Any:
    """A sender in the middle of a transfer: segments up to `acked` are acknowledged, those up to `sent` were sent."""
    middle = {"highest_ack": acked, "highest_sent": sent, "next_seq": sent + 1, "data_end": tcp.ENDLESS}
    return sender(profile, variant, **middle | {"timer_pending": True, "cwnd": float(sent - acked)} | fields)


class Script:
    """Every step returns the segments that the sender sends because of it."""

    tcp: Any  # the state of the variant

    def __init__(self, state: tcp.TcpState, variant: str = "reno") -> None:
        self.tcp = state
        self.rules = VARIANTS[variant]
        self.now = 0.0
        self.timer_s: float | None = None  # what the timer was last started with

    def starts(self) -> list[int]:
        """The application begins."""
        return self._obey(tcp.source_started(self.tcp))

    def stops(self) -> list[int]:
        """The application ends."""
        return self._obey(tcp.source_stopped(self.tcp))

    def gets(self, ack: int, *blocks: tuple[int, int]) -> list[int]:
        """An ACK arrives, with SACK blocks if there are any."""
        if self.rules.selective_acks:
            self.tcp.block_count = len(blocks)
            for i, number in enumerate(chain(*blocks)):
                self.tcp.blocks[i] = number
        return self._obey(self.rules.ack_arrived(self.tcp, ack, self.now))

    def hears_nothing(self) -> list[int]:
        """The retransmission timer rings."""
        return self._obey(self.rules.timer_expired(self.tcp, self.now))

    def _obey(self, to_do: int) -> list[int]:
        sent: list[int] = []
        if to_do & tcp.ARM_TIMER:
            self._start_timer()
        if to_do & tcp.RESEND:
            sent += self._send(self.tcp.highest_ack + 1)
        if to_do & tcp.SEND_ONE:
            self.tcp.next_seq += 1
            sent += self._send(self.tcp.next_seq - 1)
        while to_do & tcp.SEND and (seq := self.rules.next_segment(self.tcp)) != tcp.NO_SEGMENT:
            sent += self._send(seq)
        return sent

    def _send(self, seq: int) -> list[int]:
        if self.rules.segment_sent(self.tcp, seq, self.now):
            self._start_timer()
        return [seq]

    def _start_timer(self) -> None:
        self.timer_s = rto.timer_started(self.tcp)
