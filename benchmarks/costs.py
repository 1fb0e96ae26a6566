"""What a user waits and pays for beside the packets: starting a process, a small run, memory."""

import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Final

import numpy as np

from benchmarks.kinds import kinds
from benchmarks.loads import BASELINE, LOADS, Load
from benchmarks.ours import time_loop
from benchmarks.results import spread
from simcore import ENGINES, EVERYTHING, TOTALS, Scenario, simulate
from workbook.plots import window
from workbook.plots.frame import framed, stack
from workbook.plots.save import png_of

Json = dict[str, object]

WHOLE_PROCESS: Final = "import sys, simcore; simcore.simulate(simcore.load_scenario(sys.argv[1]), engine='compiled')"
STARTS: Final = 3
SMALL_RUNS: Final = 50
NUMBERS_OF_FLOWS: Final = (1, 10, 100, 1000, 5000)
PACKETS: Final = 200_000  # of each run of many flows, about
FLOW_RUNS: Final = 3
FIGURES: Final = 10


def start() -> Json:
    """Seconds of a whole process that simulates the baseline, without and with compiled code from an earlier one."""
    cold, warm = [], []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as empty:
            cold.append(_run(BASELINE.scenario(), Path(empty)))
            warm.append(_run(BASELINE.scenario(), Path(empty)))
    return {"cold": _wall_and_cpu(cold), "warm": _wall_and_cpu(warm)}


def first_runs(on_turn: Callable[[str], None]) -> Json:
    """CPU seconds of a whole process that meets a kind of network for the first time, and compiles all its code."""
    taken: Json = {}
    for title, scenario in kinds().items():
        on_turn(f"first run: {title}")
        with tempfile.TemporaryDirectory() as empty:
            taken[title] = _run(scenario, Path(empty))[1]
    return taken


def _run(scenario: Scenario, cache: Path) -> tuple[float, float]:
    """Simulate in a process of its own, whose compiled code is kept in `cache`."""
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}  # where platformdirs lets caches begin
    path = cache / "scenario.yaml"
    path.write_text(scenario.to_yaml(), "utf-8")
    return _process([sys.executable, "-c", WHOLE_PROCESS, str(path)], environment)


def _process(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds on the wall and of the processor."""
    began, before = perf_counter(), os.times()
    subprocess.run(command, env=environment, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return perf_counter() - began, used


def _wall_and_cpu(processes: Sequence[tuple[float, float]]) -> Json:
    walls, cpus = zip(*processes, strict=True)
    return {"wall_s": spread(walls), "cpu_s": spread(cpus)}


def small_run() -> Json:
    """CPU milliseconds of the baseline in a process that is warm, by how much of the way to a Dataset is gone."""
    scenario = BASELINE.scenario()
    time_loop(scenario, TOTALS)
    return {
        "loop_ms": spread([time_loop(scenario, TOTALS).cpu_s * 1e3 for _ in range(SMALL_RUNS)]),
        "run_ms": _milliseconds(lambda: ENGINES["compiled"](scenario, TOTALS, None)),
        "totals_dataset_ms": _milliseconds(lambda: simulate(scenario, "compiled", TOTALS)),
        "full_dataset_ms": _milliseconds(lambda: simulate(scenario, "compiled", EVERYTHING)),
    }


def _milliseconds(work: Callable[[], object], turns: int = SMALL_RUNS) -> Json:
    work()
    taken = []
    for _ in range(turns):
        began = process_time()
        work()
        taken.append((process_time() - began) * 1e3)
    return spread(taken)


def memory() -> Json:
    """Bytes for a data packet that is recorded, together with its ACK and the changes of the window."""
    scenario = LOADS[1].scenario()
    log = ENGINES["compiled"](scenario, EVERYTHING, None).log
    columns = [column for column in vars(log).values() if isinstance(column, np.ndarray)]
    tracemalloc.start()  # numpy tells it of its arrays
    dataset = simulate(scenario, "compiled")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    held = {"log": sum(column.nbytes for column in columns), "dataset": dataset.nbytes, "peak": peak}
    return {what: size / int(dataset["sent"].sum()) for what, size in held.items()}


def many_flows() -> Json:
    """CPU nanoseconds of the compiled loop for a data packet, by number of flows that share the link evenly."""
    return {str(flows): spread([_ns_a_packet(flows) for _ in range(FLOW_RUNS)]) for flows in NUMBERS_OF_FLOWS}


def _ns_a_packet(flows: int) -> float:
    """Each flow has 1 Mb/s of the link, which are 125 packets a second."""
    end_s = max(2.0, PACKETS / (125 * flows))
    load = Load("flows", f"{flows} flows", flows, float(flows), 10 * flows, 20, stop_s=end_s, end_s=end_s)
    taken = time_loop(load.scenario(), TOTALS)
    return 1e9 * taken.cpu_s / taken.packets


def figure_ms() -> Json:
    """CPU milliseconds of a figure with two panels, the windows of both flows of the baseline, as a PNG."""
    run = simulate(BASELINE.scenario(), "compiled")

    def draw() -> None:
        figure = framed("Two windows", "as they were")
        for flow, (ax,) in enumerate(stack(figure, 2, 1, "time in s", "window in packets"), start=1):
            window.cwnd(run, ax, flow)
        png_of(figure)

    return _milliseconds(draw, FIGURES)
