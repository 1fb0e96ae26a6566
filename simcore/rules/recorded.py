"""What of a set of rules' state a run can record: the fields that the rules name, each with what it is and its unit.

RECORDED = {"bandwidth": Quantity("smoothed estimate of the bandwidth", "segments/s")}
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from simcore.rules.modules import Rules, Stateless


class Quantity(NamedTuple):
    """What a field of a state says."""

    long_name: str
    units: str


Recorded = Mapping[str, Quantity]


def recorded_of(name: str, rules: Rules) -> Recorded:
    """The fields that these rules name. Raises TypeError for one that their `State` doesn't have."""
    recorded: Recorded = getattr(rules, "RECORDED", {})
    fields = getattr(getattr(rules, "State", Stateless), "__dataclass_fields__", {})
    if missing := [field for field in recorded if field not in fields]:
        raise TypeError(f"{name}.RECORDED names {', '.join(missing)}; its state has {', '.join(fields) or 'no fields'}")
    return recorded


def columns_of(rules: Iterable[tuple[str, Recorded]]) -> dict[str, Quantity]:
    """A column for each field: the name of the rules, and its own."""
    return {f"{name}_{field}": quantity for name, recorded in rules for field, quantity in recorded.items()}
