"""The chapter's experiments by name, which are also the folders of what they leave."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from matplotlib.figure import Figure

from workbook.largefat import (
    area_plots,
    area_runs,
    clocking,
    framing,
    interface,
    long_runs,
    memory_plots,
    memory_runs,
    modifications,
    phases,
    receiver,
    recoveries,
    table,
)
from workbook.largefat.lab import Lab

Draw = Callable[[Lab, Mapping[str, Any]], Figure]


@dataclass(frozen=True)
class Experiment:
    """What is measured, in which cases of the parameters, and what is drawn of it, each figure with a caption."""

    title: str
    measure: Callable[[Lab], dict[str, Any]]
    cases: Sequence[str]
    figures: Mapping[str, tuple[Draw, str]]


EXPERIMENTS: Final = {
    "memory": Experiment(
        "Memory at the bottleneck",
        memory_runs.measure,
        memory_runs.CASES,
        {
            "memory": (memory_plots.memory_figure, "Slide 4: memory over the slow line's rate, formula and runs."),
            "probe": (memory_plots.probe_figure, "Slide 4: how 45000 datagrams fill the memory."),
        },
    ),
    "self-clocking": Experiment(
        "Self-clocking",
        clocking.measure,
        clocking.CASES,
        {"gaps": (clocking.clocking_figure, "Slide 5: gaps between packets.")},
    ),
    "forbidden-area": Experiment(
        "The forbidden area",
        area_runs.measure,
        area_runs.CASES,
        {"area": (area_plots.area_figure, "Slide 6: the forbidden area.")},
    ),
    "phases": Experiment(
        "Three phases",
        phases.measure,
        phases.CASES,
        {"phases": (phases.phases_figure, "Slide 7: three phases of a stream.")},
    ),
    "receiver": Experiment(
        "The receiver overrun",
        receiver.measure,
        receiver.CASES,
        {"overrun": (receiver.receiver_figure, "Slide 8: the receiver overrun.")},
    ),
    "interface": Experiment(
        "The interface queue",
        interface.measure,
        interface.CASES,
        {
            "fall-off": (interface.fall_off_figure, "Slide 9: slow start ends without a loss."),
            "txq": (interface.txq_figure, "Slide 14: throughput over the interface queue."),
        },
    ),
    "modifications": Experiment(
        "Modifications",
        modifications.measure,
        modifications.CASES,
        {
            "benches": (modifications.benches_figure, "Slide 10: what each modification does."),
            "gap": (modifications.gap_figure, "Slide 11: delay at the device."),
        },
    ),
    "long-runs": Experiment(
        "Long runs",
        long_runs.measure,
        long_runs.CASES,
        {
            "three-minutes": (long_runs.three_minutes, "Slide 12: HighSpeed TCP for three minutes."),
            "an-hour": (long_runs.an_hour, "Slide 13: an hour over 622 Mb/s."),
            "near-gige": (long_runs.near_gige, "Slides 16 and 17: jumbo frames over 196 ms."),
        },
    ),
    "table": Experiment(
        "The table of slide 15",
        table.measure,
        table.CASES,
        {"table": (table.table_figure, "Slide 15: the table beside ours.")},
    ),
    "recovery": Experiment(
        "Recovery",
        recoveries.measure,
        recoveries.CASES,
        {
            "recovery": (recoveries.recovery_figure, "Slide 16: what one loss costs."),
            "one-loss": (recoveries.one_loss_figure, "Slide 18: when the loss comes early."),
        },
    ),
    "framing": Experiment("Framing", framing.measure, (), {}),
}
