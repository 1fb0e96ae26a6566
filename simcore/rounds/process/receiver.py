"""A receiver: once a round it acknowledges what arrived."""

from collections.abc import Generator

from simpy import Environment
from simpy.events import Event

from simcore.rounds.log import Log, ReceivedRow
from simcore.rounds.process.connection import Connection
from simcore.rounds.rules.receiver import BUFFER_BYTES, segment_arrived
from simcore.rounds.rules.sender import HOLE


class Receiver:
    """The receiver of the sender with this index, at the far end of `connection`."""

    def __init__(self, env: Environment, log: Log, index: int, connection: Connection) -> None:
        self.env = env
        self.rows = log.received[index]
        self.connection = connection
        env.process(self.run())

    def run(self) -> Generator[Event, None, None]:
        """Half a round after the senders."""
        yield self.env.timeout(0.5)
        while True:
            self.acknowledge()
            yield self.env.timeout(1)

    def acknowledge(self) -> None:
        """One ACK for every segment that passed the router, a hole for every one that didn't; they are never lost."""
        connection, state, burst = self.connection, self.connection.receiver, self.connection.burst
        connection.acks = [
            segment_arrived(state, connection.held, burst.first + slot * burst.length, burst.length)
            if burst.passed[slot]
            else HOLE
            for slot in range(burst.count)
        ]
        connection.window = state.window
        self.rows.append(ReceivedRow(int(self.env.now), state.expected, BUFFER_BYTES - state.window, state.old_bytes))
