"""The slow starts by name: every module of this folder that has a NAME."""

from types import ModuleType
from typing import Any, Final

from simcore.rules import slow_start
from simcore.rules.modules import named_modules, state_of
from simcore.rules.recorded import recorded_of
from simcore.rules.slow_start.slow_start import SlowStart
from simcore.rules.tcp.sender import TcpState

STANDARD: Final = "standard"  # where nobody names another
OWN: Final = "own"


def slow_start_of(name: str, rules: ModuleType) -> SlowStart[Any]:
    """The slow start that a module defines: its `State`, if it remembers something, and its rules."""
    return SlowStart(
        name=name,
        title=rules.NAME,
        about=rules.ABOUT,
        stacks=getattr(rules, "STACKS", ("ns-2", "linux")),
        explanations=getattr(rules, "EXPLANATIONS", {}),
        recorded=recorded_of(name, rules),
        state=state_of(name, rules),
        data_acknowledged=rules.data_acknowledged,
        segment_sent=getattr(rules, "segment_sent", nothing_to_note),
    )


def nothing_to_note(tcp: TcpState, state: object, seq: int, now: float) -> None:
    """A segment left: most slow starts need not know."""


SLOW_STARTS: Final[dict[str, SlowStart[Any]]] = {
    name: slow_start_of(name, rules) for name, rules in named_modules(slow_start).items()
}

CHOICES: Final = tuple(name for name in SLOW_STARTS if name != OWN)
"""Those that a flow may name."""
