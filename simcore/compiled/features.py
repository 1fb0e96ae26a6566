"""What only some networks have: features, one name each, which the types of a network's records carry.

Code is made for these types, so what a network lacks costs nothing, neither time to compile nor to run. Where a network
has a feature, its records have a field for it that takes no room: `layout` and `records` put it there, `dispatch` asks
for it, and nothing else says so, neither what their other fields are called nor how many there are. (Metadata of
numpy types would not do: types that differ in it alone are equal, and would share their machine code.)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

DType = np.dtype[Any]


@dataclass(frozen=True)
class Feature:
    """A feature, and the array of the world whose records carry it."""

    name: str
    array: str
    within: str | None = None  # the record within these records that carries it, if they don't themselves

    @property
    def field(self) -> tuple[str, str, tuple[int]]:
        """What a type of records with the feature has, as numpy declares a field."""
        return (f"has_{self.name}", "?", (0,))

    def is_in(self, record: DType) -> bool:
        """Has a type of records the feature?"""
        return self.field[0] in (record.names or ())

    def is_in_world(self, types: Mapping[str, DType]) -> bool:
        """Has a world the feature whose arrays have these types?"""
        return self.is_in(types[self.array][self.within] if self.within else types[self.array])


DISCIPLINES: Final = Feature("disciplines", "queues")  # another queue than drop-tail, which has no record
TIMERS: Final = Feature("timers", "queues")  # a discipline that has a timer
INTERFACES: Final = Feature(
    "interfaces", "ports"
)  # a gap between packets, a port that refuses its senders, PAUSE frames
LOSSES: Final = Feature("losses", "impairments")  # packets may be lost or spared on purpose
MARKS: Final = Feature("marks", "tcp", "header")  # a packet may be marked instead of dropped
OPTIONS: Final = Feature("options", "tcp", "header")  # packets say more than number and size
DELAYS: Final = Feature("delays", "tcp")  # a sender may have a send jitter or a pace
SOURCES: Final = Feature("sources", "sources")  # a flow is UDP
RECORDING: Final = Feature("recording", "states")  # what rules record of their states is asked for

FEATURES: Final = (DISCIPLINES, TIMERS, INTERFACES, LOSSES, MARKS, OPTIONS, DELAYS, SOURCES, RECORDING)
