"""The network of a scenario, with the kernel's TCP at its ends."""

from simcore.kernel.connection import connection_of
from simcore.kernel.endpoint import Flow
from simcore.kernel.real_time import RealTime
from simcore.kernel.receiver import KernelReceiver
from simcore.kernel.recorder import KernelRecorder
from simcore.kernel.refusals import is_modelled
from simcore.kernel.segments import Numbering
from simcore.kernel.sender import KernelSender, SenderPlan
from simcore.kernel.settings import Settings
from simcore.network.states import last_segment
from simcore.process.network import Network
from simcore.process.port import Port
from simcore.rules.tcp.sender import ENDLESS
from simcore.scenario.flows import TcpFlow
from simcore.scenario.scenario import Scenario


class KernelNetwork(Network):
    """As the process model builds it, but for the TCP flows."""

    def __init__(self, scenario: Scenario, log: KernelRecorder, env: RealTime, settings: Settings) -> None:
        self.clock = env
        self.recorder = log
        self.settings = settings
        super().__init__(scenario, log, env)

    def add_tcp(
        self, number: int, flow: TcpFlow, window: int, boot_s: float, out: list[Port], back: list[Port]
    ) -> None:
        """A sender, its receiver, and the way between them in both directions."""
        if is_modelled(flow):
            super().add_tcp(number, flow, window, boot_s, out, back)
            return
        ends = connection_of(flow, window, self.profile, self.settings)
        shared = Flow(number, Numbering(ends.payload_bytes))
        plan = SenderPlan(
            start_s=flow.start_s,
            stop_s=flow.stop_s,
            segments=ENDLESS if flow.transfer_bytes is None else last_segment(flow),
            window_packets=window,
        )
        sender = KernelSender(self.clock, self.recorder, out[0], shared, ends, plan)
        receiver = KernelReceiver(self.clock, self.recorder, back[0], shared, ends)
        self.repairs[number] = sender
        self.connect(number, back, sender.inbox.put)
        self.connect(number, out, receiver.inbox.put)
