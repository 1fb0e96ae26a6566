"""Damaged files, for every command that reads one: no traceback, no hang; what is refused is refused in a line.

A damaged file may still be a good one, and is then worked on. What a scenario's schema refuses must be refused.
"""

import contextlib
import gzip
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock

import nbformat
import yaml
from click.testing import CliRunner, Result

from campaign.damage import other_bytes, other_tree, refused_by_the_schema, written
from campaign.trials import Finding, Kind, Round, within
from tests.sweeps import BASE, BUFFER, JITTER, RANDOM, one_thread
from tests.workbook.build.conftest import WRITE, add_chapter
from tests.workbook.ledger.studies import FLOW, write_claims
from tests.workbook.reading.test_ns2_trace import DUMBBELL
from workbook.build.fingerprint import write_manifest
from workbook.commands.cli import main
from workbook.paths import REPO, Places

DAMAGED: Final = 20  # files of a round
LONGEST_S: Final = 30.0  # of a command
SMALL_GB: Final = "0.002"  # a damaged file may be a good one that asks for hours
SCENARIO: Final = dict(BASE)
GRID: Final[Mapping[str, Any]] = {"name": "mine", "base": SCENARIO, "engine": "process", "vary": {"buffer": BUFFER}}
DRAWN: Final[Mapping[str, Any]] = {
    "name": "mine", "base": SCENARIO, "engine": "process", "random": RANDOM, "replications": 2, "jitter": JITTER,
}  # fmt: skip
CLAIMS: Final[tuple[dict[str, Any], ...]] = (
    {"id": "study.exact", "kind": "exact", "said": "1109", "compare": "two_tcp.size_100.flow1.kb"},
    {"id": "study.sum", "kind": "exact", "said": "3", "arithmetic": "1 + 2", "status": "external"},
    {"id": "study.picture", "kind": "figure", "figure": "two-tcp/size-100/latency", "counts_as": "number"},
)


class Target(NamedTuple):
    """A command and the file of its that is damaged: its name, how it is damaged, and the exit statuses it may have."""

    arguments: tuple[str, ...]
    file: str
    damage: Callable[[Random, bytes, str], bytes]
    statuses: tuple[int, ...] = (0, 2)


def by_schema(random: Random, content: bytes, name: str) -> bytes:
    """The scenario with something in it that its schema refuses."""
    return written(refused_by_the_schema(random, yaml.safe_load(content)), name)


def by_tree(random: Random, content: bytes, name: str) -> bytes:
    """What the file says, changed in one place."""
    return written(other_tree(random, yaml.safe_load(content)), name)


def by_bytes(random: Random, content: bytes, name: str) -> bytes:
    """The file with other bytes."""
    return other_bytes(random, content)


def targets() -> dict[str, list[Target]]:
    """Command -> its files, each with every way of damaging it."""
    small = ("--max-memory", SMALL_GB)
    refused = [Target(("run", name, *small), name, by_schema, (2,)) for name in ("run.yaml", "run.json")]
    changed: dict[str, list[tuple[tuple[str, ...], str]]] = {
        "run": [(("run", "run.yaml", *small), "run.yaml"), (("run", "run.json", *small), "run.json")],
        "sweep": [(("sweep", name, *small), name) for name in ("grid.yaml", "drawn.yaml")],
        "claims": [
            (("claims", "study", "--json"), f"book/{name}")
            for name in ("claims/study.yaml", "claims/rulers.yaml", "figures/two-tcp/size-100/statistics.json")
        ],
        "figures": [(("figures", "good"), f"book/{name}") for name in ("params/good.yaml", "notebooks/good.ipynb")],
        "store": [(("sweep", "grid.yaml", "--output", "made.zarr", "--verify"), "made.zarr/zarr.json")],
    }
    statuses = {"claims": (0, 1, 2), "figures": (0, 1, 2), "store": (0, 1, 2)}
    found = {
        command: [
            Target(arguments, file, damage, statuses.get(command, (0, 2)))
            for arguments, file in files
            for damage in (by_tree, by_bytes)
        ]
        for command, files in changed.items()
    }
    found["run"] = refused + found["run"]
    found["read"] = [Target(("read", name), name, by_bytes) for name in ("trace.tr", "trace.tr.gz")]
    found["read"].append(Target(("read", "trace.tr", "--link", "2-3"), "trace.tr", by_bytes))
    sheet = "course/submitted/ada/window/window.ipynb"
    grade = ("grade", "--course", "course")
    found["grade"] = [Target(grade, sheet, damage, (0, 1, 2)) for damage in (by_tree, by_bytes)]
    return found


@contextlib.contextmanager
def workplace() -> Iterator[Places]:
    """A folder with a good file for every command, which is the current directory and has a workbook of its own."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        places = Places(Path(folder, "book"))
        Path("run.yaml").write_bytes(written(SCENARIO, "run.yaml"))
        Path("run.json").write_bytes(written(SCENARIO, "run.json"))
        Path("grid.yaml").write_bytes(written(GRID, "grid.yaml"))
        Path("drawn.yaml").write_bytes(written(DRAWN, "drawn.yaml"))
        Path("trace.tr").write_text(DUMBBELL)
        Path("trace.tr.gz").write_bytes(gzip.compress(DUMBBELL.encode()))
        _course(Path("course"))
        _book(places)
        with mock.patch("workbook.paths.REPO", places):
            yield places


def _course(course: Path) -> None:
    sheet = course / "submitted/ada/window/window.ipynb"
    sheet.parent.mkdir(parents=True)
    (course / "nbgrader_config.py").touch()
    sheet.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])))


def _book(places: Places) -> None:
    case = places.figures / "two-tcp" / "size-100"
    for folder in (case, places.params, places.claims, places.root / "notebooks"):
        folder.mkdir(parents=True)
    shutil.copy(REPO.claims / "rulers.yaml", places.claims)
    (case / "statistics.json").write_text(json.dumps({"flow1": FLOW}))
    (case / "latency.png").write_bytes(b"a picture")
    write_manifest(case.parent, "the chapter's inputs")
    write_claims(places, *CLAIMS)
    places.lock.write_text("simpy==4.1.2\n")
    add_chapter(places, "good", WRITE)


def asked(target: Target) -> Result:
    """What a command answers. Chapters are read but not executed, and sweeps are checked but not run."""
    with mock.patch("workbook.build.build.build", return_value=iter(())), within(LONGEST_S):
        if "--verify" in target.arguments:
            return CliRunner().invoke(main, target.arguments)
        with mock.patch("workbook.commands.sweep._fill", return_value=0):
            return CliRunner().invoke(main, target.arguments)


def fault(target: Target, result: Result) -> str | None:
    """What is wrong with an answer, if anything."""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"{type(result.exception).__name__}: {result.exception}"[:300]
    if result.exit_code not in target.statuses:
        return f"exit status {result.exit_code}: {result.output}"[:300]
    lines = result.stderr.splitlines()
    if result.exit_code == 2 and (not lines or not all(line.startswith("Error: ") for line in lines)):
        return f"not a line that says what is wrong: {result.stderr!r}"[:300]
    if any(len(line) > 1000 for line in lines):
        return f"a line of {max(map(len, lines)):,} characters: {result.stderr[:200]!r}"
    return None


def tried(command: str, number: int, damaged: int = DAMAGED) -> Round:
    """A round of damaged files for one command."""
    random, findings = Random(number), []
    with workplace():
        if command == "store":
            with mock.patch("workbook.sweep.running.processes", one_thread):
                made = CliRunner().invoke(main, ["sweep", "grid.yaml", "--output", "made.zarr"])
            assert made.exit_code == 0, made.output
        for turn in range(damaged):
            choices = targets()[command]
            target = choices[turn % len(choices)]
            path = Path(target.file)
            good = path.read_bytes()
            content = target.damage(random, good, target.file)
            path.write_bytes(content)
            if wrong := fault(target, asked(target)):
                findings.append(Finding(f"workbook {' '.join(target.arguments)}: {wrong}", {path.name: content}))
            path.write_bytes(good)
    return Round(damaged, findings)


ABOUT: Final = {
    "run": "scenario files that are wrong",
    "sweep": "sweeps' files that are wrong",
    "read": "traces that are damaged",
    "claims": "claims, rulers and statistics that are damaged",
    "figures": "chapters' parameters and notebooks that are damaged",
    "store": "a sweep's store whose metadata is damaged",
    "grade": "sheets handed in that are damaged",
}
COMMANDS: Final = tuple(ABOUT)


def _kind(command: str) -> Kind:
    return Kind(f"{command}-inputs", ABOUT[command], lambda number: tried(command, number))


KINDS: Final = tuple(_kind(command) for command in COMMANDS)
