"""The queues of the row's links at t = 0, as their disciplines have them."""

from typing import NamedTuple

from simcore.network.addresses import addresses
from simcore.network.states import segment_bytes
from simcore.rules.queues.discipline import LinkFacts, initial_state
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.queues.waiting import Waiting
from simcore.scenario.flows import TcpFlow
from simcore.scenario.scenario import Scenario


class Queue(NamedTuple):
    """The name of a discipline (see `simcore.rules.queues.registry`), and its state."""

    rules: str
    state: Waiting


def queues_of(scenario: Scenario) -> list[Queue | None]:
    """The disciplines of the row's links; None for drop-tail with a limit in packets, as on every other link."""
    smallest, nodes = _smallest_packet_bytes(scenario), addresses(scenario)
    queues: list[Queue | None] = []
    for link in scenario.row():
        facts = LinkFacts(link.rate_mbps, link.delay_ms, smallest, nodes)
        state = initial_state(DISCIPLINES[link.queue], link, facts)
        queues.append(Queue(link.queue, state) if state else None)
    return queues


def _smallest_packet_bytes(scenario: Scenario) -> int:
    return min(
        min(segment_bytes(flow, scenario.profile)) if isinstance(flow, TcpFlow) else flow.packet_bytes
        for flow in scenario.flows
    )
