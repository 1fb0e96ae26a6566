"""How far the model of Linux comes in lockstep with the kernel: scenarios by what the sender is, as a table.

python -m workbook.chapters.twenty_years_later.in_lockstep RECORDS

The file RECORDS has what the kernel's senders were told, and what they answered. If there is none, the kernel runs
every scenario in real time, and it is written.
"""

import json
import lzma
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from simcore import Scenario, scenario_from, simulate
from simcore.scenario.change import changed
from workbook.chapters.chapter import Chapter
from workbook.chapters.twenty_years_later.keep import AT_ONCE
from workbook.paths import REPO
from workbook.reading.lockstep import Event, Lockstep, events_of, lockstep

CASES: Final = ("udp", "udp-buffer-5", "udp-1Mb", "udp-delay-100ms", "two")
NEAREST: Final = {"profile": "linux-nearest", "initial_window_packets": 2}
DEFAULT: Final = {"profile": "linux", "flows.*.sink": "delayed"}
SENDERS: Final[dict[str, dict[str, Any]]] = {  # as delivered, the kernel has SACK in any case
    "Reno": NEAREST | {"flows.*.variant": "newreno"},
    "Reno, SACK": NEAREST | {"flows.*.variant": "sack"},
    "Reno, default": DEFAULT | {"flows.*.variant": "sack"},
    "CUBIC": NEAREST | {"flows.*.variant": "newreno", "flows.*.growth": "cubic"},
    "CUBIC, SACK": NEAREST | {"flows.*.variant": "cubic"},
    "CUBIC, default": DEFAULT | {"flows.*.variant": "cubic"},
}
Record = dict[str, Any]


def scenarios() -> Iterator[tuple[str, str, Scenario]]:
    """Every case with every sender."""
    chapter = Chapter.load(REPO.params / "twenty-years-later.yaml")
    for case in CASES:
        mapping = changed(chapter.base, chapter.cases[case].change)
        for sender, change in SENDERS.items():
            yield case, sender, scenario_from({"name": f"{case}, {sender}"} | _changed(mapping, change))


def _changed(mapping: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A sender's change: what it says of all flows is of those that have TCP."""
    of_flows = {path.removeprefix("flows.*."): value for path, value in change.items() if path.startswith("flows.*.")}
    flows = [flow | of_flows if flow["kind"] == "tcp" else flow for flow in mapping["flows"]]
    of_run = {path: value for path, value in change.items() if not path.startswith("flows.*.")}
    return mapping | of_run | {"flows": flows}


def recorded(case: str, sender: str, scenario: Scenario) -> Record:
    """A run on the kernel: for each TCP flow the events, with the clock's lateness in place of its time."""
    ds = simulate(scenario, "kernel-default" if scenario.profile.name == "linux" else "kernel")
    flows = {
        number: [_row(event) for event in events_of(ds, number)]
        for number, flow in enumerate(scenario.flows, start=1)
        if flow.kind == "tcp"
    }
    facts = {"case": case, "sender": sender, "kernel": ds.attrs["kernel"], "scenario": scenario.to_mapping()}
    return facts | {"clock_origin_s": round(ds.attrs["clock_origin_s"] % 0.004, 6), "flows": flows}


def _row(event: Event) -> list[Any]:
    late_us = round(1e6 * (event.clock_s - event.at_s))
    return [*event._replace(at_s=round(event.at_s, 6), clock_s=late_us)]


def _event(row: Sequence[Any]) -> Event:
    event = Event(*row)
    return event._replace(clock_s=event.at_s + 1e-6 * event.clock_s)


def make(path: Path) -> None:
    """Run all on the kernel, several side by side, and write the records."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        made = list(pool.map(lambda asked: recorded(*asked), scenarios()))
    path.write_bytes(lzma.compress(json.dumps(made, separators=(",", ":")).encode()))


def read(path: Path) -> list[Record]:
    """What `make` wrote."""
    records: list[Record] = json.loads(lzma.decompress(path.read_bytes()))
    return records


def answered(record: Record) -> dict[int, Lockstep]:
    """How far the model comes with the events of each TCP flow of a record."""
    scenario, origin_s = scenario_from(record["scenario"]), record["clock_origin_s"]
    return {
        int(flow): lockstep([_event(row) for row in rows], scenario, int(flow), origin_s)
        for flow, rows in record["flows"].items()
    }


def table(records: Sequence[Record]) -> str:
    """The share of ACKs that the model answers as the kernel, in Markdown."""
    shares: dict[str, dict[str, str]] = {}
    for record in records:
        for flow, comparison in answered(record).items():
            name = f"{record['case']}, flow {flow}" if len(record["flows"]) > 1 else record["case"]
            shares.setdefault(name, {})[record["sender"]] = _share(comparison)
    rows = [["case", *SENDERS], ["---", *["---:"] * len(SENDERS)]]
    rows += [[name, *(cells[sender] for sender in SENDERS)] for name, cells in shares.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _share(comparison: Lockstep) -> str:
    """Percent; where it is not all, also how many ACKs come before the first other answer."""
    if not comparison.parted:
        return "100"
    return f"{min(99.9, round(100 * comparison.same / comparison.acks, 1))} ({comparison.before} of {comparison.acks})"


if __name__ == "__main__":
    records = Path(sys.argv[1])
    if not records.is_file():
        make(records)
    print(table(read(records)))
