"""Which states of a scenario's rules have fields to record (`simcore.rules.recorded`), and what their columns are."""

from typing import Any

from simcore.rules.congestion.control import Control
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.recorded import Quantity, columns_of
from simcore.rules.recovery.recovery import Recovery
from simcore.rules.slow_start.slow_start import SlowStart
from simcore.rules.stack import variant_in
from simcore.scenario.flows import TcpFlow
from simcore.scenario.scenario import Scenario


def rules_of_senders(scenario: Scenario) -> list[Recovery[Any] | Control[Any] | SlowStart[Any]]:
    """The recoveries, controls and slow starts that record something, each once, in the order of the flows."""
    variants = [
        variant_in(scenario.profile.stack, flow.rules()) for flow in scenario.flows if isinstance(flow, TcpFlow)
    ]
    rules = [part for variant in variants for part in (variant.recovery, variant.control, variant.slow_start)]
    return list({(type(part), part.name): part for part in rules if part.recorded}.values())


def rules_of_queues(scenario: Scenario) -> list[str]:
    """The disciplines that record something, by name."""
    return [name for name in dict.fromkeys(link.queue for link in scenario.row()) if DISCIPLINES[name].recorded]


def columns_of_senders(scenario: Scenario) -> dict[str, Quantity]:
    """What is recorded of senders."""
    return columns_of((rules.name, rules.recorded) for rules in rules_of_senders(scenario))


def columns_of_queues(scenario: Scenario) -> dict[str, Quantity]:
    """What is recorded of queues."""
    return columns_of((name, DISCIPLINES[name].recorded) for name in rules_of_queues(scenario))
