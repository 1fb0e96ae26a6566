"""The router: once a round it lets the segments of all bursts pass, or drops them."""

from collections.abc import Generator, Sequence
from random import Random

from simpy import Environment
from simpy.events import Event

from simcore.rounds.log import Log, RelayedRow
from simcore.rounds.process.connection import Connection
from simcore.rounds.rules.router import READINGS, outdrawn
from simcore.rounds.scenario import RoundsScenario


class Router:
    """What all connections share. Acknowledgements do not meet it."""

    def __init__(self, env: Environment, log: Log, scenario: RoundsScenario, connections: Sequence[Connection]) -> None:
        self.env = env
        self.rows = log.relayed
        self.scenario = scenario
        self.relay = READINGS[scenario.reading].relay
        self.random = Random(scenario.seed)
        self.connections = connections
        env.process(self.run())

    def run(self) -> Generator[Event, None, None]:
        """A quarter of a round after the senders."""
        yield self.env.timeout(0.25)
        while True:
            self.relay_bursts()
            yield self.env.timeout(1)

    def relay_bursts(self) -> None:
        """Decide over this round's bursts together. Every slot takes one draw, contested or not."""
        lengths = [len(connection.burst) for connection in self.connections]
        draws = [self.random.random() for _ in range(max(lengths))]
        passed = self.relay(lengths, draws, self.scenario.buffer_segments, self.scenario.mismatch)
        for sender, (connection, rows, own) in enumerate(zip(self.connections, self.rows, passed, strict=True)):
            connection.passed = own
            if not all(own):
                dropped = [length for (_, length), passes in zip(connection.burst, own, strict=True) if not passes]
                rows.append(RelayedRow(int(self.env.now), len(dropped), sum(dropped), outdrawn(passed, sender)))
