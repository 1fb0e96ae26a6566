"""The network of a scenario, built and run."""

from simpy import Environment

from simcore.rounds.log import Log
from simcore.rounds.process.connection import Connection
from simcore.rounds.process.receiver import Receiver
from simcore.rounds.process.router import Router
from simcore.rounds.process.sender import Sender
from simcore.rounds.scenario import RoundsScenario


def run(scenario: RoundsScenario) -> Log:
    """Simulate all rounds; return what happened. The ACKs of the last round are still to be read."""
    env = Environment()
    log = Log(len(scenario.senders))
    connections = [Connection(scenario) for _ in scenario.senders]
    for index, connection in enumerate(connections):
        Sender(env, log, index, scenario, connection)
        Receiver(env, log, index, connection)
    Router(env, log, scenario, connections)
    env.run(until=scenario.rounds)
    return log
