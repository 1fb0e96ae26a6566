"""A load in ns.py, run by a Python that has it. Prints the data packets sent and the CPU seconds of the event loop.

python nspy.py FLOWS RATE_MBPS DELAY_MS BUFFER_PACKETS WINDOW_PACKETS PACKET_BYTES STAGGER_S STOP_S END_S
"""

import sys
import time

import simpy
from ns.demux.flow_demux import FlowDemux
from ns.flow.cc import TCPReno
from ns.flow.flow import Flow
from ns.packet.packet import Packet
from ns.packet.tcp_generator import TCPPacketGenerator
from ns.packet.tcp_sink import TCPSink
from ns.port.port import Port
from ns.port.wire import Wire

HEADER_BYTES = 40
REVERSE_BUFFER_PACKETS = 50  # as ns-2 has it
ACK_FLOW = 10_000  # what ns.py's sink adds to the number of a flow


class AckDemux:
    """Hands an ACK to the sender of its flow."""

    def __init__(self, senders: list[TCPPacketGenerator]) -> None:
        self.senders = senders

    def put(self, ack: Packet) -> None:
        self.senders[ack.flow_id - ACK_FLOW].put(ack)


def line(
    env: simpy.Environment, rate_bps: float, delay_s: float, buffer_packets: int, receiver: AckDemux | FlowDemux
) -> Port:
    """One direction of the link: a port with a buffer, a wire, and who is behind it."""
    port = Port(env, rate_bps, qlimit=buffer_packets + 1)  # it counts the packet being sent
    port.out = Wire(env, lambda: delay_s)
    port.out.out = receiver
    return port


def network(
    env: simpy.Environment,
    flows: int,
    rate_bps: float,
    delay_s: float,
    buffer_packets: int,
    window_packets: float,
    segment_bytes: int,
    stagger_s: float,
    stop_s: float,
) -> Port:
    """All flows over one link; returns the port that the data passes."""
    senders: list[TCPPacketGenerator] = []
    sinks: list[TCPSink] = []
    acks = line(env, rate_bps, delay_s, REVERSE_BUFFER_PACKETS, AckDemux(senders))
    data = line(env, rate_bps, delay_s, buffer_packets, FlowDemux(sinks))
    for number in range(flows):
        flow = Flow(number, "near", "far", start_time=0.1 + number * stagger_s, finish_time=stop_s)
        window_bytes = window_packets * segment_bytes
        reno = TCPReno(mss=segment_bytes, cwnd=2 * segment_bytes, ssthresh=window_bytes)
        sender = TCPPacketGenerator(env, flow, reno)
        sender.mss = segment_bytes
        sender.out = data
        sink = TCPSink(env, rec_arrivals=False, rec_waits=False)
        sink.out = acks
        senders.append(sender)
        sinks.append(sink)
    return data


def main() -> None:
    flows, rate_mbps, delay_ms, buffer_packets, window, packet_bytes, stagger_s, stop_s, end_s = map(
        float, sys.argv[1:]
    )
    env = simpy.Environment()
    size = int(packet_bytes) + HEADER_BYTES
    data = network(
        env, int(flows), rate_mbps * 1e6, delay_ms * 1e-3, int(buffer_packets), window, size, stagger_s, stop_s
    )
    began = time.process_time()
    env.run(until=end_s)
    print(data.packets_received, time.process_time() - began)


main()
