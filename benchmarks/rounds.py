"""Rounds: all simulators simulate a load in turn, and again, so that what disturbs one disturbs its neighbours too.

Ratios are taken within a round. Times are CPU times: what else runs on the machine counts as little as possible.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from benchmarks.loads import Load

ROUNDS: Final = 5
SLOW_ROUNDS: Final = 3


class Missing(Exception):  # noqa: N818 - nobody's error
    """Why a simulator takes no part, for a reader of the table."""


@dataclass(frozen=True)
class Sample:
    """One turn of one simulator: data packets sent, and the CPU seconds that it took."""

    packets: int
    cpu_s: float

    @property
    def speed(self) -> float:
        """Thousand data packets per CPU second."""
        return self.packets / self.cpu_s / 1e3


class Simulator(Protocol):
    """Anything that can be timed."""

    @property
    def key(self) -> str:
        """Its name in the file of results."""

    @property
    def title(self) -> str:
        """Its name in tables and figures."""

    @property
    def slow(self) -> bool:
        """Has it so few turns, on so much of a load, as somebody has who would take minutes?"""

    @property
    def omits(self) -> Mapping[str, str]:
        """Load -> why it isn't tried."""

    def prepare(self) -> None:
        """Compile or install what is needed; raise Missing if that can't be done."""

    def sample(self, load: Load) -> Sample:
        """Simulate; raise Missing if that fails."""


@dataclass
class Turns:
    """All samples, by simulator and load, and the reasons for those that are missing."""

    samples: dict[str, dict[str, list[Sample]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    missing: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))

    def take(self, simulator: Simulator, load: Load) -> None:
        """Let a simulator have one turn, unless it is out."""
        if load.key in self.missing[simulator.key]:
            return
        try:
            self.samples[simulator.key][load.key].append(simulator.sample(load))
        except Missing as reason:
            self.missing[simulator.key][load.key] = str(reason)


def measure(simulators: Sequence[Simulator], loads: Sequence[Load], on_turn: Callable[[str], None]) -> Turns:
    """Let all simulators take their turns; `on_turn` is told whose it is."""
    turns = Turns()
    for simulator in simulators:
        on_turn(f"{simulator.title}: making ready")
        turns.missing[simulator.key] = dict(simulator.omits)
        try:
            simulator.prepare()
        except Missing as reason:
            turns.missing[simulator.key] = {load.key: str(reason) for load in loads}
    for load in loads:
        for number in range(ROUNDS):
            for simulator in simulators:
                if number < SLOW_ROUNDS or not simulator.slow:
                    on_turn(f"{load.title}, round {number + 1}: {simulator.title}")
                    turns.take(simulator, load)
    return turns
