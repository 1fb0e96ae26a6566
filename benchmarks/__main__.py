"""Time everything that is there, and write figures/benchmarks/."""

import argparse
import json
from datetime import UTC, datetime
from typing import Final

from tqdm import tqdm

from benchmarks import costs, ours, results, rivals
from benchmarks.installation import installation
from benchmarks.kinds import kinds
from benchmarks.loads import LOADS
from benchmarks.page import page_ms
from benchmarks.picture import picture
from benchmarks.report import report
from benchmarks.rounds import ROUNDS, SLOW_ROUNDS, Simulator, measure
from workbook.paths import REPO
from workbook.plots.save import save

SIMULATORS: Final[tuple[Simulator, ...]] = (
    rivals.BOUND,
    ours.COMPILED,
    ours.RECORDED,
    rivals.NS2_LEAN,
    rivals.NS2,
    rivals.NS2_WHOLE,
    rivals.NS2_TRACED,
    rivals.NS3,
    ours.PROCESS,
    rivals.NS_PY_RUN,
)


def main() -> None:
    """Measure, write and show."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Time the engines beside ns-2, ns-3 and ns.py, where they are installed; "
        "writes figures/benchmarks/. Takes many minutes, on a machine that should do nothing else.",
    )
    parser.add_argument(
        "--page", action="store_true", help="only the explorer's page; all else stays as it was measured"
    )
    parser.add_argument("--installation", action="store_true", help="only the library's size and start")
    folder = REPO.figures / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    asked = parser.parse_args()
    file = folder / "benchmarks.json"
    if asked.page or asked.installation:
        result = json.loads(file.read_text("utf-8"))
        result |= {"page": page_ms()} if asked.page else {}
        result |= {"installation": installation()} if asked.installation else {}
    else:
        result = measured()
    file.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    text = report(result)
    (folder / "benchmarks.md").write_text(text, "utf-8")
    save(picture(result), folder / "benchmarks")
    print(text)


def measured() -> dict[str, object]:
    """Everything that benchmarks.json holds."""
    rounds = sum(SLOW_ROUNDS if simulator.slow else ROUNDS for simulator in SIMULATORS)
    turns = len(SIMULATORS) + rounds * len(LOADS) + len(kinds()) + 7
    with tqdm(total=turns, leave=False, bar_format="{desc} {bar:20}", disable=None) as bar:  # None: only on a terminal

        def on_turn(what: str) -> None:
            bar.update()
            bar.set_description_str(f"{what:<75}")

        taken = measure(SIMULATORS, LOADS, on_turn)
        on_turn("start of a process")
        start = costs.start()
        first_runs = costs.first_runs(on_turn)
        on_turn("small runs")
        small_run = costs.small_run()
        on_turn("memory")
        memory = costs.memory()
        on_turn("many flows")
        flows = costs.many_flows()
        on_turn("a figure")
        figure_ms = costs.figure_ms()
        on_turn("the library alone")
        alone = installation()
        on_turn("the explorer's page")
        in_browser = page_ms()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": results.machine(),
        "versions": rivals.versions(),
        "loads": {load.key: {"title": load.title, "end_s": load.end_s} for load in LOADS},
        "speeds": results.speeds(SIMULATORS, LOADS, taken),
        "ratios": results.ratios(LOADS, taken),
        "start": start,
        "first_runs": first_runs,
        "small_run": small_run,
        "memory": memory,
        "many_flows": flows,
        "figure": {"figure_ms": figure_ms},
        "installation": alone,
        "page": in_browser,
    }


if __name__ == "__main__":
    main()
