"""A sender: once a round it reads its acknowledgements and sends what its rules allow."""

from collections.abc import Generator

from simpy import Environment
from simpy.events import Event

from simcore.rounds.log import Log, SentRow
from simcore.rounds.process.connection import Connection
from simcore.rounds.rules import sender as rules
from simcore.rounds.scenario import Idle, RoundsScenario


class Sender:
    """The sender with this index in the scenario, at the near end of `connection`."""

    def __init__(
        self, env: Environment, log: Log, index: int, scenario: RoundsScenario, connection: Connection
    ) -> None:
        self.env = env
        self.rows = log.sent[index]
        self.plan = scenario.senders[index]
        self.end = scenario.rounds
        self.connection = connection
        env.process(self.run())

    def run(self) -> Generator[Event, None, None]:
        """Start, perhaps pause, go on to the end."""
        yield self.env.timeout(self.plan.start_round)
        if self.plan.idle:
            yield from self.transfer(until=self.plan.idle.first_round)
            yield from self.pause(self.plan.idle)
        yield from self.transfer(until=self.end)

    def transfer(self, until: int) -> Generator[Event, None, None]:
        """Send data, one burst a round."""
        connection, state = self.connection, self.connection.sender
        while self.env.now < until:
            loss = rules.acks_arrived(state, connection.acks)
            self.send(rules.kind_to_send(state, connection.window, loss), loss)
            yield self.env.timeout(1)

    def pause(self, idle: Idle) -> Generator[Event, None, None]:
        """Have nothing to send for a while."""
        rounds = idle.last_round + 1 - idle.first_round
        if idle.connection == "kept_alive":
            yield from self.keep_alive(rounds)
        else:
            self.connection.open()
            yield self.env.timeout(rounds)

    def keep_alive(self, rounds: int) -> Generator[Event, None, None]:
        """Send one byte a round and repair nothing. The ACKs of the last burst still count in full."""
        connection, state = self.connection, self.connection.sender
        loss = rules.acks_arrived(state, connection.acks)
        self.send(rules.KEEP_ALIVE, loss)
        yield self.env.timeout(1)
        for _ in range(rounds - 1):
            rules.keep_alive_acks_arrived(state, connection.acks)
            self.send(rules.KEEP_ALIVE, rules.NO_LOSS)
            yield self.env.timeout(1)

    def send(self, kind: int, loss: int) -> None:
        """Put this round's burst on its way, and write down the state in which it left."""
        connection, state = self.connection, self.connection.sender
        flight, window = rules.flight_size(state), rules.effective_window(state, connection.window)
        rules.send(state, connection.burst, kind, window)
        self.rows.append(
            SentRow(
                round=int(self.env.now),
                cwnd=state.cwnd,
                effective_window=window,
                flight_size=flight,
                ssthresh=state.ssthresh,
                advertised_window=connection.window,
                acked_bytes=state.acked + 1,
                slow_start=state.slow_start,
                sent_kind=kind,
                loss=loss,
                segments=connection.burst.count,
                sent_bytes=connection.burst.count * connection.burst.length,
            )
        )
