"""`workbook check`: a scenario held to ns-2, or to the Linux kernel's TCP."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from workbook.commands.diff import report
from workbook.commands.read import readable
from workbook.commands.refusal import INTERRUPTED, Refusal, choose, choose_engine
from workbook.commands.run import load

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from simcore import Scenario

PATH = click.Path(path_type=Path, readable=False)
LEAST_PATIENCE_S: Final = 60.0
PATIENCE: Final = 5.0
Check = Callable[[Path, "Scenario", str], bool]  # the file, what it says, an engine: prints, are both the same?


@click.command(short_help="Hold a scenario to ns-2 or the Linux kernel.")
@click.argument("scenario", metavar="SCENARIO", type=PATH)
@click.option("--against", metavar="NAME", default="ns", show_default=True, help="What it is held to: ns or kernel.")
@click.option("--engine", metavar="NAME", default="process", show_default=True, help="What simulates it here.")
def check(scenario: Path, against: str, engine: str) -> None:
    """Run a scenario here and elsewhere, and name the first event that differs.

    \b
    Against
      ns       ns-2 (the program `ns`, version 2.35). The script is that of `workbook run --tcl`; what ns-2 can't do is
               refused. Compared are the events of the bottleneck, in both directions, as ns-2 prints them.
      kernel   the Linux kernel's own TCP, in real time: as delivered where the scenario's profile is linux, and near
               the textbook where it is another. Numbers side by side; the first event that differs, where the kernel's
               timers sent nothing; with a profile of Linux also lockstep: how many ACKs the model's sender answers as
               the kernel's did, if it gets the same ones.

    \b
    Examples:
      workbook check mine.yaml
      workbook check mine.yaml --against kernel

    Exit status 0 if all events are the same, 1 if some differ, 2 for bad input or where there is nothing to run it.
    """
    from simcore import MODELS

    choose("--against", against, AGAINST)
    choose_engine("--engine", engine, MODELS)
    [loaded] = load([scenario], engine)
    try:
        is_same = AGAINST[against](scenario, loaded, engine)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    raise SystemExit(0 if is_same else 1)


def _against_ns2(path: Path, scenario: "Scenario", engine: str) -> bool:
    from simcore import simulate
    from workbook.export.tcl import NotInNs2Error, script
    from workbook.reading.parting import events_of_run, parting

    program = shutil.which("ns")
    if program is None:
        raise Refusal("ns-2 is not installed: there is no program `ns`; on Debian and Ubuntu it is in the package ns2")
    try:
        text = script(scenario, "out.tr")
    except NotInNs2Error as error:
        raise Refusal(f"{path}: {error}") from None
    theirs, their_events = _run_by_ns2(program, text, path, _patience_s(scenario))
    ours = simulate(scenario, engine)
    difference = parting(events_of_run(ours), their_events, whole_row=False)
    if difference is None:
        click.echo(f"{path}: the same in ns-2: {len(their_events)} events")
    else:
        click.echo("\n".join(report(difference, (path, Path("ns-2")), (ours, theirs))))
    return difference is None


def _patience_s(scenario: "Scenario") -> float:
    """How long ns-2 may take: a multiple of what the process model, which is slower, is estimated to need."""
    from simcore.results.cost import cost_of

    return max(LEAST_PATIENCE_S, PATIENCE * cost_of(scenario, "process").seconds)


def _run_by_ns2(program: str, text: str, path: Path, patience_s: float) -> "tuple[xr.Dataset, pd.DataFrame]":
    """What ns-2 traced at the bottleneck. Raises Refusal if it doesn't run the script, or doesn't end."""
    from workbook.reading.events import dataset_of_events, events_of_link
    from workbook.reading.ns2_trace import read_events

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "run.tcl").write_text(text, "ascii")
        command = [program, "run.tcl"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=patience_s, check=False)
        except subprocess.TimeoutExpired:
            raise Refusal(f"{path}: ns-2 was stopped: it had not ended after {patience_s:.0f} s") from None
        if done.returncode:
            raise Refusal(f"ns: exit status {done.returncode}: {done.stderr.strip()[-300:] or 'nothing said'}")
        events = readable(Path(folder) / "out.tr", read_events)
    return dataset_of_events(events, "ns-2", (0, 1)), events_of_link(events, (0, 1))


def _against_kernel(path: Path, scenario: "Scenario", engine: str) -> bool:
    from simcore import EngineUnavailableError, ScenarioError, simulate
    from workbook.reading import beside

    name = beside.counterpart(scenario)
    try:
        theirs = simulate(scenario, name)
    except EngineUnavailableError as error:
        raise Refusal(error) from None
    except ScenarioError as error:
        raise Refusal(f"{path}: {error}") from None
    ours = simulate(scenario, engine)
    click.echo(f"{path}: profile {scenario.profile.name} beside {theirs.attrs['kernel']}, engine {name}\n")
    click.echo(beside.table(ours, theirs))
    parted = beside.first_difference(ours, theirs)
    click.echo("\n".join(["", *parted.lines, *beside.in_lockstep(theirs, scenario)]))
    return parted.is_same


AGAINST: Final[Mapping[str, Check]] = {"ns": _against_ns2, "kernel": _against_kernel}
