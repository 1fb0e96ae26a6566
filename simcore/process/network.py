"""The network of a scenario, built and run: hosts, one router port in each direction, a link in each."""

from simpy import Environment

from simcore.conservation import Remaining
from simcore.log import FORWARD, REVERSE, Log
from simcore.process.cbr import CbrSender
from simcore.process.link import Link
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.receiver import Receiver
from simcore.process.sender import TcpSender
from simcore.rules import cbr
from simcore.scenario import Scenario, TcpFlow, UdpFlow
from simcore.setup import REVERSE_BUFFER_PACKETS, boot_phases_s, tcp_state


def run(scenario: Scenario) -> tuple[Log, Remaining]:
    """Simulate until `end_s`; return what happened and what is still on its way. An event at the end itself is out."""
    network = Network(scenario)
    network.env.run(until=scenario.end_s)
    return network.log, network.remaining()


class Network:
    """Two nodes with a bottleneck between them; senders on its near side, receivers on its far side."""

    def __init__(self, scenario: Scenario) -> None:
        self.env = Environment()
        self.log = Log()
        self.profile = scenario.profile
        self.senders: dict[int, TcpSender] = {}
        self.receivers: dict[int, Receiver] = {}
        bottleneck = scenario.bottleneck
        self.forward = self._port(bottleneck.rate_mbps, bottleneck.delay_ms, FORWARD, bottleneck.buffer_packets)
        self.reverse = self._port(bottleneck.rate_mbps, bottleneck.delay_ms, REVERSE, REVERSE_BUFFER_PACKETS)
        phases = boot_phases_s(scenario)
        for number, flow in enumerate(scenario.flows, start=1):
            if isinstance(flow, TcpFlow):
                self._add_tcp(number, flow, next(phases))
            else:
                self._add_udp(number, flow)

    def _port(self, rate_mbps: float, delay_ms: float, number: int, limit: int) -> Port:
        deliver = self._to_receiver if number == FORWARD else self._to_sender
        link = Link(self.env, self.log, number, delay_ms * 1e-3, deliver)
        return Port(self.env, self.log, link, rate_mbps * 1e6, limit)

    def _add_tcp(self, number: int, flow: TcpFlow, boot_s: float) -> None:
        profile, data_bytes = self.profile, flow.packet_bytes + self.profile.header_bytes
        state = tcp_state(flow, profile, boot_s)
        sender = TcpSender(self.env, self.log, self.forward, number, state, data_bytes, profile.syn_bytes)
        self.senders[number] = sender
        self.receivers[number] = Receiver(
            self.env, self.log, self.reverse, number, flow.window_packets, profile.ack_bytes
        )
        # Applications are scheduled before the run, flow by flow: at the same instant they precede all else.
        self.env.timeout(flow.start_s).callbacks.append(sender.source_started)
        self.env.timeout(flow.stop_s).callbacks.append(sender.source_stopped)

    def _add_udp(self, number: int, flow: UdpFlow) -> None:
        interval_s = cbr.interval_s(flow.packet_bytes, flow.rate_mbps * 1e6)
        start, stop = self.env.timeout(flow.start_s), self.env.timeout(flow.stop_s)
        CbrSender(self.env, self.log, self.forward, number, flow.packet_bytes, interval_s, start, stop)

    def _to_receiver(self, packet: Packet) -> None:
        """The far end of the forward link: a TCP segment is acknowledged, a UDP packet has arrived."""
        if packet.flow in self.receivers:
            self.receivers[packet.flow].segment_arrived(packet)

    def _to_sender(self, ack: Packet) -> None:
        """The far end of the reverse link."""
        self.senders[ack.flow].ack_arrived(ack)

    def remaining(self) -> Remaining:
        """The packets that are still in a queue or on a link, by link."""
        return {
            port.link.number: [
                *(packet.uid for packet in port.waiting),
                *(packet.uid for packet, _ in port.link.in_flight),
            ]
            for port in (self.forward, self.reverse)
        }
