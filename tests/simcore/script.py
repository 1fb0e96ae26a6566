"""A TCP sender alone with us, as in packetdrill: we say what arrives, it says what it sends. No network, no clock."""

from itertools import chain
from typing import Any

from simcore.network.states import tcp_state
from simcore.rules.recovery import recovery
from simcore.rules.tcp import acks, rto
from simcore.rules.tcp import sender as tcp
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_27, Profile


def sender(profile: Profile = NS_2_27, variant: str = "reno", **fields: Any) -> Any:
    """A sender before it starts, with a window of 20 packets; and whatever else it or its rules remember."""
    flow = TcpFlow(kind="tcp", variant=variant, packet_bytes=1000, window_packets=20, start_s=0, stop_s=10)
    state = tcp_state(flow, profile, boot_s=0.0)
    for name, value in fields.items():
        parts = state, state.recovery_state, state.control_state, state.slow_start_state, state.echoes, state.interface
        whose = next(part for part in parts if hasattr(part, name))
        setattr(whose, name, value)
    return state


def under_way(acked: int, sent: int, profile: Profile = NS_2_27, variant: str = "reno", **fields: Any) -> Any:
    """A sender in the middle of a transfer: segments up to `acked` are acknowledged, those up to `sent` were sent."""
    middle = {"highest_ack": acked, "highest_sent": sent, "next_seq": sent + 1, "data_end": tcp.ENDLESS}
    return sender(profile, variant, **middle | {"timer_pending": True, "cwnd": float(sent - acked)} | fields)


class Script:
    """Every step returns the segments that the sender sends because of it."""

    def __init__(self, state: tcp.TcpState) -> None:
        self.tcp = state
        self.recovery = state.recovery_state
        self.control = state.control_state
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
        if self.tcp.recovery.selective_acks:
            self.tcp.block_count = len(blocks)
            for i, number in enumerate(chain(*blocks)):
                self.tcp.blocks[i] = number
        return self._obey(acks.ack_arrived(self.tcp, ack, self.now))

    def hears_nothing(self) -> list[int]:
        """The retransmission timer rings."""
        return self._obey(recovery.timer_expired(self.tcp, self.now))

    def _obey(self, to_do: int) -> list[int]:
        sent: list[int] = []
        while to_do:
            request = tcp.next_request(to_do)
            if request == tcp.ARM_TIMER:
                self._start_timer()
            elif (seq := self._segment_for(request)) != tcp.NO_SEGMENT:
                sent += self._send(seq)
            else:
                break
            to_do = tcp.left_to_do(to_do, request)
        return sent

    def _segment_for(self, request: int) -> int:
        if request < tcp.SEND:
            return tcp.segment_asked_for(self.tcp, request)
        return recovery.next_segment(self.tcp)

    def _send(self, seq: int) -> list[int]:
        if recovery.segment_sent(self.tcp, seq, self.now):
            self._start_timer()
        return [seq]

    def _start_timer(self) -> None:
        self.timer_s = rto.timer_started(self.tcp)
