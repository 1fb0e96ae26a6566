"""From what a claim read to the files that hold it: the statistics of a case, and the figure that shows it."""

from collections.abc import Iterable
from pathlib import Path

from workbook.ledger.results import as_name

# What a figure shows, by the name of the statistic that it shows; the first that occurs in a path decides.
SHOWN = {
    "instant_kbps": "instant-throughput",
    "mean_crossings_per_s": "instant-throughput",
    "longest_gap": "instant-throughput",
    "system_kbps": "system-throughput",
    "system_trough_kbps": "system-throughput",
    "share_percent": "system-throughput",
    "jain": "system-throughput",
    "latency_ms": "latency",
    "delivery_ms": "latency",
    "jitter": "jitter",
    "cwnd": "cwnd",
    "queue_total": "queue-total",
    "queue": "queue",
}


def statistics_files(read: Iterable[str], figures: Path) -> list[Path]:
    """The statistics.json of every case that was read, below the folder of figures."""
    cases = dict.fromkeys(tuple(path.split(".")[:2]) for path in read)
    there = {(as_name(path.parent.parent.name), as_name(path.parent.name)): path
             for path in sorted(figures.glob("*/*/statistics.json"))}  # fmt: skip
    return [there[case] for case in cases if case in there]


def figure_files(read: Iterable[str], figures: Path) -> list[Path]:
    """The figures that show what was read; none if there is no figure of it."""
    found: dict[Path, None] = {}
    for path in read:
        stem = next((stem for name, stem in SHOWN.items() if name in path), None)
        for statistics in statistics_files([path], figures):
            picture = statistics.with_name(f"{stem}.png")
            if picture.is_file():
                found[picture] = None
    return list(found)
