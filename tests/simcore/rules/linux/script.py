"""A sender of Linux without a network: ACKs are told to it, and what it sends is written down."""

from typing import Any

from simcore.network.states import tcp_state
from simcore.rules.recovery import recovery
from simcore.rules.tcp import acks, rto
from simcore.rules.tcp import sender as tcp
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import LINUX_NEAREST, Profile
from tests.simcore.scenes import tcp_flow


class LinuxSender:
    """Its round trips take 100 ms, unless a story says otherwise."""

    def __init__(
        self, variant: str = "newreno", window: int = 100, profile: Profile = LINUX_NEAREST, *, connects: bool = True
    ) -> None:
        flow = tcp_flow(variant=variant, window_packets=window, start_s=0.0, stop_s=100.0)
        self.state: Any = tcp_state(TcpFlow.model_validate(flow), profile, boot_s=0.0)
        self.now = 0.0
        self.timer_at_s = float("inf")
        self.sent: list[int] = []
        self.obey(tcp.source_started(self.state))
        if connects:
            self.acked(0)

    def acked(self, *numbers: int, after_s: float = 0.1, blocks: tuple[int, ...] = ()) -> list[int]:
        """ACKs come at one time, with SACK blocks (start, end, start, end, ...); return what the sender then sent."""
        self.sent = []
        self.now += after_s
        for number in numbers:
            self.state.block_count = len(blocks) // 2
            for i, bound in enumerate(blocks):
                self.state.blocks[i] = bound
            self.obey(acks.ack_arrived(self.state, number, self.now))
        return self.sent

    def timer_rings(self) -> list[int]:
        """The timer rings when it is due; return what the sender then sent."""
        self.sent = []
        self.now = self.timer_at_s
        self.obey(recovery.timer_expired(self.state, self.now))
        return self.sent

    def obey(self, to_do: int) -> None:
        """Do what a rule asked for, as an engine does."""
        while to_do:
            request = tcp.next_request(to_do)
            if request == tcp.ARM_TIMER:
                self.timer_at_s = self.now + rto.timer_started(self.state)
            elif (seq := self.segment_for(request)) == tcp.NO_SEGMENT:
                return
            else:
                self.sent.append(seq)
                if recovery.segment_sent(self.state, seq, self.now):
                    self.timer_at_s = self.now + rto.timer_started(self.state)
            to_do = tcp.left_to_do(to_do, request)

    def segment_for(self, request: int) -> int:
        """The segment that a request is about."""
        if request < tcp.SEND:
            return tcp.segment_asked_for(self.state, request)
        return recovery.next_segment(self.state)
