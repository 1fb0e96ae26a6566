"""The router: once a round it lets the segments of all bursts pass, or drops them."""

from collections.abc import Generator, Sequence
from random import Random

from simpy import Environment
from simpy.events import Event

from simcore.rounds.log import Log, RelayedRow
from simcore.rounds.process.connection import Connection
from simcore.rounds.rules.router import READINGS, dropped, longest, outdrawn, relay
from simcore.rounds.scenario import RoundsScenario


class Router:
    """What all connections share. Acknowledgements do not meet it."""

    def __init__(self, env: Environment, log: Log, scenario: RoundsScenario, connections: Sequence[Connection]) -> None:
        self.env = env
        self.rows = log.relayed
        self.scenario = scenario
        self.rule = READINGS[scenario.reading].rule
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
        bursts, scenario = [connection.burst for connection in self.connections], self.scenario
        draws = [self.random.random() for _ in range(longest(bursts))]
        relay(self.rule, bursts, draws, 0, scenario.buffer_segments, scenario.mismatch)
        for sender, (burst, rows) in enumerate(zip(bursts, self.rows, strict=True)):
            if lost := dropped(burst):
                rows.append(RelayedRow(int(self.env.now), lost, lost * burst.length, outdrawn(bursts, sender)))
