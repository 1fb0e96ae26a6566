"""A router: what arrives goes out through the port of its next hop."""

from collections.abc import Generator

from simpy import Environment
from simpy.events import Event

from simcore.process.clock import happen_at_once
from simcore.process.packet import Packet
from simcore.process.port import Port


class Router:
    """One router in one direction of travel; `next_hop` is its forwarding table, by flow."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.next_hop: dict[int, Port] = {}
        self.inbox = env.event()
        env.process(self.run())

    def packet_arrived(self, packet: Packet) -> None:
        """Called by the link."""
        happen_at_once(self.inbox, packet)

    def run(self) -> Generator[Event, Packet, None]:
        """Forward each packet; routing itself takes no time."""
        while True:
            packet = yield self.inbox
            self.inbox = self.env.event()
            yield from self.next_hop[packet.flow].put(packet)
