"""`workbook diff`: where two runs part."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from simcore.extras import require
from workbook.commands.outputs import prepare
from workbook.commands.read import readable
from workbook.commands.refusal import INTERRUPTED, Refusal, choose_engine, reason
from workbook.commands.run import load

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from workbook.reading.parting import Parting

PATH = click.Path(path_type=Path, readable=False)
SCENARIOS: Final = (".yaml", ".yml", ".json")


@click.command(short_help="Where two runs part: the first event that differs.")
@click.argument("one", metavar="A", type=PATH)
@click.argument("other", metavar="B", type=PATH)
@click.option("--engine", metavar="NAME", default="process", show_default=True, help="What simulates scenarios.")
@click.option(
    "--figures", "figures_dir", metavar="DIR", type=PATH, help="Write DIR/<A's stem>-<B's stem>.png and .svg."
)
def diff(one: Path, other: Path, engine: str, figures_dir: Path | None) -> None:
    """Compare two runs event by event: the first that differs, the ten before it, and what the rules of TCP did last.

    \b
    Each of A and B may be
      a scenario   .yaml, .yml, .json: it is simulated
      a dataset    .nc, as `workbook run --dataset` writes it
      a trace      of ns-2, as for `workbook read`, seen from its busiest link

    \b
    Examples:
      workbook diff mine.yaml yours.yaml
      workbook diff mine.yaml out.tr --figures figures     (both windows, with the moment marked)

    Events are compared as ns-2 prints them, to the microsecond. Exit status 0 if all are the same, 1 if some differ, 2
    for bad input.
    """
    from simcore import MODELS
    from workbook.reading.parting import parting

    choose_engine("--engine", engine, MODELS)
    prepare([one], {"--figures": figures_dir})
    try:
        (ours, our_events), (theirs, their_events) = (_opened(path, engine) for path in (one, other))
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    whole_row = all("scenario" in ds.attrs for ds in (ours, theirs))
    difference = parting(our_events, their_events, whole_row=whole_row)
    if difference is None:
        return click.echo(f"{one} and {other} are the same: {len(our_events)} events")
    click.echo("\n".join(report(difference, (one, other), (ours, theirs))))
    if figures_dir:
        _draw(difference, (one, other), (ours, theirs), figures_dir / f"{one.stem}-{other.stem}")
    raise SystemExit(1)


def _opened(path: Path, engine: str) -> "tuple[xr.Dataset, pd.DataFrame]":
    """The run and its events: a line of a trace may say of a packet what others don't, which its Dataset can't hold."""
    from workbook.reading.parting import events_of_run

    if path.suffix not in (*SCENARIOS, ".nc"):
        return _trace(path)
    ds = _dataset(path) if path.suffix == ".nc" else _simulated(path, engine)
    if "event_s" not in ds:
        raise Refusal(f"{path}: no events in it; must be recorded with packets, as `workbook run --dataset` does")
    return ds, events_of_run(ds)


def _simulated(path: Path, engine: str) -> "xr.Dataset":
    from simcore import simulate

    [scenario] = load([path], engine)
    return simulate(scenario, engine)


def _trace(path: Path) -> "tuple[xr.Dataset, pd.DataFrame]":
    from workbook.reading.events import dataset_of_events, events_of_link
    from workbook.reading.ns2_trace import read_events

    events = readable(path, read_events)
    return readable(path, lambda path: dataset_of_events(events, path.name, None)), events_of_link(events, None)


def _dataset(path: Path) -> "xr.Dataset":
    import xarray as xr

    require("netcdf")
    try:
        with path.open("rb") as file:  # HDF5 tells what is wrong with a file in lines of its own
            return xr.load_dataset(file, engine="h5netcdf")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "").lower() or "no netCDF file, or a damaged one"
        raise Refusal(f"{path}: cannot be read: {reason}") from None


def report(difference: "Parting", paths: tuple[Path, Path], runs: "tuple[xr.Dataset, xr.Dataset]") -> list[str]:
    """Where two runs part, as lines for a person."""
    from workbook.reading.parting import LEGEND, last_rules

    lines = [
        f"{paths[0]} and {paths[1]} part at {difference.at_s:.6f} s, after {difference.equal} events that are the same",
        LEGEND,
    ]
    lines += ["", "before, in both:", *(f"    {line}" for line in difference.before or ["nothing"])]
    for path, run, side in zip(paths, runs, difference.sides, strict=True):
        lines += ["", f"{path}:", *(f"    {line}" for line in side or ["no more events"])]
        lines += [f"    {line}" for line in last_rules(run, difference.at_s)]
    return lines


def _draw(difference: "Parting", paths: tuple[Path, Path], runs: "tuple[xr.Dataset, xr.Dataset]", stem: Path) -> None:
    from workbook.plots.parting import parted
    from workbook.plots.save import save

    try:
        save(parted(runs, (str(paths[0]), str(paths[1])), difference.at_s), stem)
    except OSError as error:
        raise Refusal(f"{stem}: cannot be written: {reason(error)}") from None
