"""`workbook sweep`: one scenario in thousands of variations, one Dataset."""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbook.commands.cost import announce, max_memory_option
from workbook.commands.refusal import INTERRUPTED, Refusal, choose, choose_engine, reason

if TYPE_CHECKING:
    from workbook.sweep import Design

PATH = click.Path(path_type=Path, readable=False)  # whether it can be read is ours to say, in one line


@click.command(short_help="Simulate variations of a scenario: grids, random designs, replications.")
@click.argument("params", metavar="PARAMS.yaml", type=PATH)
@click.option("--output", metavar="DIR.zarr", type=PATH, help="Where to write.  [default: build/sweeps/<name>.zarr]")
@click.option("--scheduler", metavar="ADDRESS", help="A dask scheduler whose workers simulate, as tcp://host:8786.")
@click.option("--engine", metavar="NAME", help="What simulates.  [default: as the file says, or compiled]")
@max_memory_option
@click.option("--verify", is_flag=True, help="Only compare every chunk of the output with its checksum.")
def sweep(
    params: Path,
    output: Path | None,
    scheduler: str | None,
    engine: str | None,
    max_memory: float | None,
    *,
    verify: bool,
) -> None:
    """Simulate a scenario in many variations, on all cores, into one xarray Dataset.

    How do buffer and delay decide what a TCP flow loses? Save this as mine.yaml:

    \b
      name: mine
      base:                        # a whole scenario, as for `workbook run`
        profile: ns-2.27
        end_s: 10.5
        bottleneck: {rate_mbps: 2, delay_ms: 10, queue: droptail, buffer_packets: 20}
        flows:
          - {kind: tcp, variant: reno, packet_bytes: 1000, window_packets: 20, start_s: 0.1, stop_s: 10}
          - {kind: tcp, variant: reno, packet_bytes: 1000, window_packets: 20, start_s: 0.1, stop_s: 10}
      vary:                        # a grid: every value with every other
        buffer: {path: bottleneck.buffer_packets, values: [5, 10, 20, 50]}
        delay: {path: bottleneck.delay_ms, from: 1, to: 100, steps: 5, scale: log}
        size: {paths: [flows.0.packet_bytes, flows.1.packet_bytes], from: 200, to: 1000, steps: 3, whole: true}
        n: {path: flows, copies: [1, 2, 10]}            # so often all flows: 2, 4 and 20 of them
      replications: 3              # each cell so often, each with a seed of its own
      jitter: {flows.*.start_s: {uniform: [0, 0.1]}}    # added anew in each replication, for each flow
      warm_up_s: 1                 # counted is what passes later

    \b
    Then:
      workbook sweep mine.yaml
      python -c 'import xarray; print(xarray.open_zarr("build/sweeps/mine.zarr").loss_percent.mean("replication"))'

    As a tidy frame, and a line for each flow with a band for the interval of its mean:

    \b
      import seaborn, xarray
      from workbook import sweep
      ds = xarray.open_zarr("build/sweeps/mine.zarr")
      sweep.interval(ds, "replication").loss_percent       # mean, low and high, by Student
      seaborn.lineplot(sweep.frame(ds), x="buffer", y="loss_percent", hue="flow", errorbar=("ci", 95))

    A path names keys and positions (from 0) in the scenario; * stands for every flow. Instead of `vary`, values can
    be drawn at random, each from a stream of its own, so that more samples change none of the earlier:

    \b
      random:
        samples: 1000
        seed: 1
        vary:
          buffer: {path: bottleneck.buffer_packets, integers: [5, 50]}
          delay: {path: bottleneck.delay_ms, loguniform: [1, 100]}
          rate: {path: bottleneck.rate_mbps, uniform: [1, 10]}
          sink: {path: flows.*.sink, choice: [immediate, delayed]}

    The Dataset has a dimension for each name (or `sample`), `replication` and `flow`, and the variables sent, dropped,
    marked, received, received_bytes, retransmitted, fast_retransmits, timeouts, acknowledged, in_flight, received_kbps,
    loss_percent, and of each cell its seed; NaN for flows that a cell has fewer than others.
    `workbook.sweep.cell_scenario(ds, buffer=5, ...)` is the scenario of one cell.

    It can be stopped at any time, also by killing it: the same command continues, and the result has the same bytes.
    Every chunk has a checksum: what a disk damaged is found and simulated again, and --verify only looks.

    \b
    On a cluster, where every machine has the same workbook and Python:
      dask scheduler
      dask worker tcp://host:8786 --nworkers auto --nthreads 1       (on each machine)
      workbook sweep mine.yaml --scheduler tcp://host:8786

    Every cell is checked before the first is simulated, and what all will need is estimated. Exit status 1 if no
    worker is left, 2 for bad input or if another sweep's result is in the way: nothing is ever overwritten. 130 after
    a Ctrl-C.
    """
    try:
        _sweep(params, output, scheduler, engine, max_memory, verify=verify)
    except KeyboardInterrupt as stopped:
        click.echo(f"Stopped. {str(stopped) or 'Nothing was simulated.'}", err=True)
        raise SystemExit(INTERRUPTED) from None


def _sweep(
    params: Path,
    output: Path | None,
    scheduler: str | None,
    engine: str | None,
    max_memory: float | None,
    *,
    verify: bool,
) -> None:
    from simcore import MODELS
    from workbook.sweep.cost import cost_of_sweep
    from workbook.sweep.report import summary
    from workbook.sweep.running import attributes
    from workbook.sweep.workers import cores

    start = time.monotonic()
    if engine is not None:
        choose("--engine", engine, MODELS)
    design = _checked(params, scheduler)
    output = output or Path("build", "sweeps", f"{design.sweep.name}.zarr")
    engine = engine or design.sweep.engine
    with _problems_in_one_line(output):
        about = attributes(design, engine, params.read_text("utf-8"))
        if verify:
            return _verify(design, about, output)
        choose_engine("--engine", engine, MODELS)
        announce({str(params): cost_of_sweep(design, engine, cores())}, max_memory)
        simulated = _fill(design, about, output, scheduler)
    return click.echo(summary(design, simulated, time.monotonic() - start, output))


def _checked(params: Path, scheduler: str | None) -> "Design":
    """The sweep of a file, each cell of which can be simulated. Raises Refusal."""
    from workbook.sweep import Design, Sweep, SweepError
    from workbook.sweep.report import Progress
    from workbook.sweep.workers import check_address

    try:
        if scheduler is not None:
            check_address(scheduler)
        design = Design(Sweep.load(params))
        with closing(Progress(0, design.cells, "cells checked")) as progress:
            design.check(f"{params}: ", progress.advance)
    except SweepError as error:
        raise Refusal(*error.args) from None
    return design


@contextmanager
def _problems_in_one_line(output: Path) -> Iterator[None]:
    """What may go wrong while a sweep is written or verified."""
    from workbook.sweep import SweepError
    from workbook.sweep.workers import WorkersLostError

    try:
        yield
    except SweepError as error:
        raise Refusal(*error.args) from None
    except WorkersLostError as error:
        raise click.ClickException(f"{error}; what is finished is kept, and the same command continues") from None
    except OSError as error:
        raise Refusal(f"{output}: cannot be written: {reason(error)}") from None


def _verify(design: "Design", about: Mapping[str, str | int], output: Path) -> None:
    """Say whether what is in the output is as it was written; exit status 1 if it is not."""
    from workbook.sweep.batches import cells_in
    from workbook.sweep.store import opened

    if not output.exists():
        raise Refusal(f"{output}: is not there; nothing to verify")
    with opened(output, design, about) as store:
        damaged, missing = store.damaged(), sum(map(cells_in, store.missing()))
    if damaged:
        cells = sum(map(cells_in, damaged))
        raise click.ClickException(
            f"{output}: {cells:,} cells are damaged; the same command without --verify repairs them"
        )
    click.echo(f"{output}: {design.cells - missing:,} of {design.cells:,} cells are there, each as it was written")


def _fill(design: "Design", about: Mapping[str, str | int], output: Path, scheduler: str | None) -> int:
    """Simulate what the output misses, and show it. Returns the number of cells simulated."""
    from workbook.sweep.batches import cells_in
    from workbook.sweep.report import Progress
    from workbook.sweep.running import run
    from workbook.sweep.store import opened

    with opened(output, design, about) as store:
        if damaged := store.damaged():
            click.echo(f"{output}: {sum(map(cells_in, damaged)):,} cells are damaged and simulated again", err=True)
        there = design.cells - sum(map(cells_in, store.missing()))
        with closing(Progress(there, design.cells)) as progress:
            try:
                for cells in run(design, str(about["engine"]), store, scheduler):
                    progress.advance(cells)
            except KeyboardInterrupt:
                kept = f"{progress.done:,} of {progress.cells:,} cells are in {output}; the same command continues."
                raise KeyboardInterrupt(kept) from None
        return progress.done - there
