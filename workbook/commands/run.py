"""`workbook run`: scenario files in, tables, traces and datasets out."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbook.commands.cost import announce, max_memory_option
from workbook.commands.outputs import Directories, prepare, write
from workbook.commands.refusal import INTERRUPTED, Refusal, choose_engine

if TYPE_CHECKING:
    from simcore import Recording, Scenario
    from simcore.simulation import FinishedRun

TEMPLATE = Path(__file__).with_name("run.ipynb")
PATH = click.Path(path_type=Path, readable=False)  # whether it can be read is ours to say, in one line


class WithNames(click.Command):
    """Its help says which names are registered. They are looked up when somebody asks: that takes a second."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from simcore.rules.congestion.registry import CONTROLS
        from simcore.rules.headers.registry import OPTIONAL
        from simcore.rules.queues.registry import DISCIPLINES
        from simcore.rules.receivers.registry import SINKS
        from simcore.rules.slow_start.registry import CHOICES
        from simcore.rules.sources.registry import SOURCES
        from simcore.rules.variants import VARIANTS
        from simcore.scenario.profiles import PROFILES

        marking = [name for name, queue in DISCIPLINES.items() if "marks" in queue.settings.model_fields]
        places: dict[str, Iterable[str]] = {
            "PROFILES": PROFILES,
            "VARIANTS": VARIANTS,
            "CONTROLS": CONTROLS,
            "QUEUES": DISCIPLINES,
            "MARKING": marking,
            "SINKS": SINKS,
            "SLOW_STARTS": CHOICES,
            "OPTIONS": OPTIONAL,
        }
        for place, names in places.items():
            self.help = (self.help or "").replace(f"{{{place}}}", ", ".join(names))
        sources = [f"{name} ({', '.join(source.settings.model_fields)})" for name, source in SOURCES.items()]
        self.help = (self.help or "").replace("{SOURCES}", f",\n{' ' * 22}".join(sources))
        super().format_help_text(ctx, formatter)


@click.command(cls=WithNames, short_help="Simulate scenario files: tables, traces, datasets.")
@click.argument("scenarios", metavar="SCENARIO...", nargs=-1, required=True, type=PATH)
@click.option("--engine", metavar="NAME", default="process", show_default=True, help="What simulates.")
@click.option("--trace", "trace_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>.tr, as ns-2 does.")
@click.option("--dataset", "dataset_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>.nc for xarray.")
@click.option("--pcap", "pcap_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>.pcapng for Wireshark.")
@click.option("--tcl", "tcl_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>.tcl, the script for ns-2.35.")
@click.option("--figures", "figures_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>/, with index.html.")
@click.option("--notebook", "notebook_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>.ipynb, executed.")
@click.option("--states", is_flag=True, help="Record what the rules name of their states, in --dataset, --figures.")
@max_memory_option
def run(
    scenarios: Sequence[Path],
    engine: str,
    trace_dir: Path | None,
    dataset_dir: Path | None,
    pcap_dir: Path | None,
    tcl_dir: Path | None,
    figures_dir: Path | None,
    notebook_dir: Path | None,
    states: bool,
    max_memory: float | None,
) -> None:
    """Simulate scenario files (YAML or JSON) and print one line per flow.

    A TCP and a UDP flow share a 2 Mb/s link. Save this as mine.yaml:

    \b
      profile: ns-2.27             # whose TCP: ns-2.27 (of 2004) or ns-2.35
      end_s: 10.5
      bottleneck:
        rate_mbps: 2
        delay_ms: 10
        queue: droptail
        buffer_packets: 20         # one being sent and 19 waiting
      flows:
        - {kind: tcp, variant: reno, packet_bytes: 1000, window_packets: 20, start_s: 0.1, stop_s: 10}
        - {kind: udp, source: cbr, packet_bytes: 1000, rate_mbps: 0.95, start_s: 0.1, stop_s: 10}

    \b
    Then:
      workbook run mine.yaml
      workbook run mine.yaml --trace out --dataset out      (out/mine.tr and out/mine.nc)
      workbook run mine.yaml --pcap out                     (out/mine.pcapng: four points of capture; look at one by
                                                             tshark -r mine.pcapng -Y frame.interface_id==0 -w 0.pcapng)
      workbook run mine.yaml --figures out                  (out/mine/index.html: its figures and its table)
      workbook run mine.yaml --notebook out                 (out/mine.ipynb: the same in JupyterLab, to go on from)
      workbook run mine.yaml --tcl out                      (out/mine.tcl: the same for ns-2; workbook check compares)
      workbook run a.yaml b.json                            (two runs, two tables)
      workbook run mine.yaml --engine kernel                (Linux: the kernel's TCP, in real time)

    \b
    What else there is:
      profile     {PROFILES};
                  any fact of it in its place (min_rto_s: 0.2); name; seed;
                  random_streams: shared (one for all, as ns-2), independent (one each)
      queue       {QUEUES}
      kind: tcp   variant: {VARIANTS};
                  growth: {CONTROLS};
                  slow_start: {SLOW_STARTS};
                  either with settings of the control: variant: {cubic: {beta: 0.5}};
                  slow_start: {SLOW_STARTS};
                  sink: {SINKS}; transfer_bytes: without it there is always more to send;
                  send_jitter_ms; ecn: true (its packets are then marked by {MARKING} with marks: true);
                  options: of the header that both ends use, a list: {OPTIONS}
      kind: udp   source: {SOURCES};
                  times_s: [0.1, 0.25], or times_file: times.txt beside the scenario, a time a line
      any flow    access and exit: links of its own (rate_mbps, delay_ms, buffer_packets);
                  lost_packets, spared_packets: [3, 7] of those that come to the bottleneck; loss_probability
      onward      further links in a row, each like the bottleneck; a flow enters and leaves at routers 0, 1, ...
      hosts       interfaces that flows share (host: 1): rate_mbps, delay_ms, queue_packets, gap_us,
                  when_full: drop, congestion, ignore; a bottleneck's pause: high_packets, low_packets stops them
      back        another way back of a link: rate_mbps, delay_ms, buffer_packets

    A wrong key or value is answered with what is allowed there. `workbook schema` describes every field, for editors.

    \b
    Engines:
      process         the model, in Python; compiled is the same, some hundred times as fast
      kernel          the Linux kernel's own TCP over the model's network, in real time: reno and newreno (both its
                      Reno without SACK), sack, cubic and bbr; set near the textbook
      kernel-default  the same as a distribution delivers it: timestamps, SACK, RACK, TLP, delayed ACKs, pacing

    \b
    The table:
      sent        packets offered to the bottleneck's queue, the dropped ones included
      KB          bytes received, headers included, in units of 1024
      kb/s        bits received over the flow's time
      latency ms  mean time from sending to receiving a packet
      jitter ms   mean difference of successive latencies, regardless of sign

    Every file is checked before the first is run, and what each will need is estimated: a large run says so, and one
    that needs more memory than --max-memory is refused. Exit status 2 for bad input; then nothing is written. After a
    Ctrl-C the compiled engine and the kernel show and write what they have until then, unless another follows; exit
    status 130.
    """
    from simcore import ENGINES, Recording
    from simcore.results.cost import cost_of

    choose_engine("--engine", engine, ENGINES)
    loaded = load(scenarios, engine)
    if states:
        _check_states(engine, dataset_dir or figures_dir)
    if pcap_dir:
        _check_captures(scenarios, loaded)
    if tcl_dir:
        _check_scripts(scenarios, loaded)
    recording = Recording(states=states)
    costs = {str(path): cost_of(scenario, engine, recording) for path, scenario in zip(scenarios, loaded, strict=True)}
    announce(costs, max_memory)
    outputs = {
        "--trace": trace_dir,
        "--dataset": dataset_dir,
        "--pcap": pcap_dir,
        "--tcl": tcl_dir,
        "--figures": figures_dir,
    }
    prepare(scenarios, outputs | {"--notebook": notebook_dir})
    for number, (path, scenario) in enumerate(zip(scenarios, loaded, strict=True)):
        click.echo("\n" * (number > 0), nl=False)
        _run(path, scenario, engine, recording, outputs)
        if notebook_dir:
            _write_notebook(path, engine, notebook_dir / f"{path.stem}.ipynb")


def _run(path: Path, scenario: "Scenario", engine: str, recording: "Recording", outputs: Directories) -> None:
    """Simulate one file's scenario; print its table and write its files. A run that was stopped is the last."""
    from workbook.export.table import flow_table

    try:
        run = _simulated(scenario, engine, recording)
        table = flow_table(run.variables(), scenario.end_s)
        click.echo(f"{path}: {scenario.name}\n{table}{_lateness(run.outcome.attributes or {})}")
        if any(outputs.values()):
            write(run.dataset(), path.stem, outputs)
    except KeyboardInterrupt:
        click.echo(f"Stopped; nothing of {path} is kept, and all before it is.", err=True)
        raise SystemExit(INTERRUPTED) from None
    if run.outcome.until_s < scenario.end_s:
        raise SystemExit(INTERRUPTED)


def load(paths: Sequence[Path], engine: str) -> list["Scenario"]:
    """All scenarios. Raises Refusal with a line for each problem of a file that is none, or none for the engine."""
    from simcore import EngineUnavailableError, ScenarioError, check, load_scenario

    loaded: list[Scenario] = []
    problems: list[str] = []
    for path in paths:
        try:
            loaded.append(load_scenario(path))
        except ScenarioError as error:
            problems += error.args
            continue
        try:
            check(loaded[-1], engine)
        except ScenarioError as error:
            problems.append(f"{path}: {error}")
        except EngineUnavailableError as error:
            raise Refusal(error) from None
    if problems:
        raise Refusal(*problems)
    return loaded


def _check_states(engine: str, output: Path | None) -> None:
    """Raise Refusal for an engine that has no states, or if nothing would be made of them."""
    from simcore.simulation import MODELS

    if engine not in MODELS:
        raise Refusal(f"--states: {engine} has none to record; allowed with {', '.join(MODELS)}")
    if output is None:
        raise Refusal("--states: nothing is made of them; must stand with --dataset or --figures")


def _check_captures(paths: Sequence[Path], scenarios: Sequence["Scenario"]) -> None:
    """Raise Refusal for a scenario whose packets no capture can hold, before it is simulated."""
    from workbook.export.capture import NotInCaptureError, check

    for path, scenario in zip(paths, scenarios, strict=True):
        try:
            check(scenario)
        except NotInCaptureError as error:
            raise Refusal(f"{path}: --pcap: {error}") from None


def _check_scripts(paths: Sequence[Path], scenarios: Sequence["Scenario"]) -> None:
    """Raise Refusal for a scenario that ns-2 can't run, before it is simulated."""
    from workbook.export.tcl import NotInNs2Error, check

    for path, scenario in zip(paths, scenarios, strict=True):
        try:
            check(scenario)
        except NotInNs2Error as error:
            raise Refusal(f"{path}: --tcl: {error}") from None


def _simulated(scenario: "Scenario", engine: str, recording: "Recording") -> "FinishedRun":
    """Simulate, with a bar on a terminal; after a Ctrl-C what there is until then."""
    from tqdm import tqdm

    from simcore import EngineUnavailableError
    from simcore.simulation import SimulationInterrupted, record

    form = "{desc} {bar:40} {n:.3g} of {total:.3g} s, {elapsed} so far"
    with tqdm(total=scenario.end_s, desc=scenario.name, bar_format=form, delay=1, leave=False, disable=None) as bar:
        try:
            return record(scenario, engine, recording, lambda now: bar.update(now - bar.n))
        except SimulationInterrupted as stopped:
            bar.close()
            click.echo(f"Stopped at {stopped.until_s:.6g} s of {scenario.end_s:g} s.", err=True)
            return stopped.run
        except EngineUnavailableError as error:
            raise Refusal(error) from None


def _lateness(run: Mapping[str, Any]) -> str:
    """Of a run in real time: whose TCP it was, and how late it was. Nothing of others."""
    if "lateness_p99_us" not in run:
        return ""
    median, p99, most = (run[f"lateness_{which}_us"] for which in ("median", "p99", "max"))
    return (
        f"\n{run['kernel']}, settings {run['kernel_settings']}: "
        f"late by {median:.0f} us (median), {p99:.0f} us (99 %), {most:.0f} us at most; "
        f"packets stamped by the clock: {run['stamped_by_clock_packets']}"
    )


def _write_notebook(scenario: Path, engine: str, notebook: Path) -> None:
    """Write the notebook that simulates the scenario and draws its figures, executed by papermill."""
    from workbook.build.notebook import NotebookError, execute

    parameters = {"scenario_file": str(scenario.resolve()), "engine": engine}
    try:
        execute(TEMPLATE, notebook, parameters, lambda done, total: None)
    except NotebookError as error:
        raise click.ClickException(str(error)) from None
