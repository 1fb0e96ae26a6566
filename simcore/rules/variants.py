"""The TCP variants that a scenario may name: combinations of a loss recovery and a congestion control.

A recovery's name stands for it with its usual control, a control's name for it with its usual recovery. Both are found
in the folders `recovery` and `congestion`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from simcore.rules.congestion.control import Control
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.recovery.recovery import Recovery
from simcore.rules.recovery.registry import RECOVERIES
from simcore.rules.slow_start.registry import OWN, SLOW_STARTS, STANDARD
from simcore.rules.slow_start.slow_start import SlowStart


@dataclass(frozen=True)
class Variant:
    """What a TCP sender consists of."""

    title: str  # for people
    recovery: Recovery[Any]
    control: Control[Any]
    named_slow_start: str | None = None  # None: the usual one

    @property
    def slow_start(self) -> SlowStart[Any]:
        """The one that is named, if the control leaves slow start to others."""
        return SLOW_STARTS[OWN if self.control.own_slow_start else self.named_slow_start or STANDARD]

    def with_control(self, name: str | None) -> "Variant":
        """The same with another control; with its own if none is named."""
        return self if name is None else replace(self, control=CONTROLS[name])

    def controls(self) -> list[str]:
        """The names of the controls that it may have."""
        usual = CONTROLS[self.recovery.control]
        if usual.recoveries:  # a recovery whose usual control works with no other does what that one needs
            return [usual.name]
        return [name for name, control in CONTROLS.items() if not control.recoveries]


class Variants(Mapping[str, Variant]):
    """All that are registered now."""

    def __getitem__(self, name: str) -> Variant:
        if name in RECOVERIES:
            recovery = RECOVERIES[name]
            return Variant(recovery.title, recovery, CONTROLS[recovery.control])
        control = CONTROLS[name]
        return Variant(control.title, RECOVERIES[control.recovery], control)

    def __iter__(self) -> Iterator[str]:
        usual = {recovery.control for recovery in RECOVERIES.values()}
        yield from RECOVERIES
        yield from (name for name in CONTROLS if name not in usual and name not in RECOVERIES)

    def __len__(self) -> int:
        return sum(1 for _ in self)


VARIANTS: Final = Variants()
