"""Stacks: a profile says whose TCP runs, and some rules are another's than ns-2's there.

A scenario names a variant by what it is, `newreno` or `cubic`. In profiles of its stack, a module with a STACK takes
the place of those that it stands for. What has no such module is the same everywhere.
"""

from dataclasses import replace
from typing import Any

from simcore.rules.congestion import registry as controls
from simcore.rules.congestion.control import Control
from simcore.rules.recovery import registry as recoveries
from simcore.rules.recovery.recovery import Recovery
from simcore.rules.variants import Variant


def variant_in(stack: str, variant: Variant) -> Variant:
    """A variant as a stack has it."""
    return replace(variant, recovery=recovery_in(stack, variant.recovery), control=control_in(stack, variant.control))


def recovery_in(stack: str, recovery: Recovery[Any]) -> Recovery[Any]:
    """What takes a recovery's place in a stack: as a rule itself."""
    others = (entry for entry in recoveries.OF_STACKS.values() if entry.stack == stack)
    return next((entry for entry in others if recovery.name in entry.stands_for), recovery)


def control_in(stack: str, control: Control[Any]) -> Control[Any]:
    """What takes a control's place in a stack: as a rule itself."""
    others = (entry for entry in controls.OF_STACKS.values() if entry.stack == stack)
    return next((entry for entry in others if control.name in entry.stands_for), control)


def rules_in(stack: str) -> tuple[list[Recovery[Any]], list[Control[Any]]]:
    """All recoveries and controls that a sender of a stack may have, each once."""
    own_recoveries = [recovery_in(stack, entry) for entry in recoveries.RECOVERIES.values()]
    own_controls = [control_in(stack, entry) for entry in controls.CONTROLS.values()]
    return (
        list({entry.name: entry for entry in own_recoveries}.values()),
        list({entry.name: entry for entry in own_controls}.values()),
    )
