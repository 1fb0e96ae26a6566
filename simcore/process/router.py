"""A router: what arrives goes out through the port of its next hop."""

from collections.abc import Generator

from simpy.events import Event

from simcore.process.clock import Environment, Mailbox
from simcore.process.packet import Packet
from simcore.process.port import Port


class Router:
    """One router, as the packets of one link see it; `next_hop` is its forwarding table, by flow."""

    def __init__(self, env: Environment) -> None:
        self.next_hop: dict[int, Port] = {}
        self.inbox = Mailbox(env)
        env.process(self.run())

    def run(self) -> Generator[Event, Packet, None]:
        """Wait for the next packet, and forward it; routing itself takes no time."""
        while True:
            packet = yield self.inbox.next()
            yield from self.next_hop[packet.flow].put(packet)
