"""The chapter's experiments by name, which are also the folders of what they leave."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from workbook.chapters.large_fat import (
    area_runs,
    clocking,
    framing,
    interface,
    long_runs,
    memory_runs,
    modifications,
    paths,
    phases,
    receiver,
    recoveries,
    table,
)
from workbook.chapters.large_fat.lab import Lab


@dataclass(frozen=True)
class Experiment:
    """What is measured, and in which cases of the parameters."""

    title: str
    measure: Callable[[Lab], dict[str, object]]
    cases: Sequence[str]


EXPERIMENTS: Final = {
    "framing": Experiment("Paths and framing", framing.measure, paths.CASES),
    "memory": Experiment("Memory at the bottleneck", memory_runs.measure, memory_runs.CASES),
    "self-clocking": Experiment("Self-clocking", clocking.measure, clocking.CASES),
    "forbidden-area": Experiment("The forbidden area", area_runs.measure, area_runs.CASES),
    "phases": Experiment("Three phases", phases.measure, phases.CASES),
    "receiver": Experiment("The receiver overrun", receiver.measure, receiver.CASES),
    "interface": Experiment("The interface queue", interface.measure, interface.CASES),
    "modifications": Experiment("Modifications", modifications.measure, modifications.CASES),
    "long-runs": Experiment("Long runs", long_runs.measure, long_runs.CASES),
    "table": Experiment("The table of slide 15", table.measure, table.CASES),
    "recovery": Experiment("Recovery", recoveries.measure, recoveries.CASES),
}
