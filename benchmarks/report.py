"""The results as tables of Markdown, which a terminal shows as well."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]

NOTHING = "-"
SHORTENED = "*"
COSTS = (
    ("whole process, empty cache: seconds", "start", "cold", "wall_s", None),
    ("whole process, empty cache: CPU seconds", "start", "cold", "cpu_s", None),
    ("whole process, warm cache: seconds", "start", "warm", "wall_s", 1.0),
    ("whole process, warm cache: CPU seconds", "start", "warm", "cpu_s", None),
    ("event loop alone: CPU ms", "small_run", "loop_ms", None, 1.0),
    ("a run, its totals only: CPU ms", "small_run", "run_ms", None, 1.0),
    ("... and a Dataset of the totals: CPU ms", "small_run", "totals_dataset_ms", None, None),
    ("everything recorded, and its Dataset: CPU ms", "small_run", "full_dataset_ms", None, 2.0),
    ("a figure of two panels, as a PNG: CPU ms", "figure", "figure_ms", None, 60.0),
)
FIRST_RUN_GOAL_S = 5.0
PAGE = (
    ("from opening the file to the first picture", "first", 1000.0),
    ("from a key on a slider to its picture", "slider", None),
    ("longest block of the page in a drag from end to end", "drag", 50.0),
)
INSTALLATION = (
    ("the wheel: MB", "wheel_mb", None),
    ("what `pip install .` brings, by what each package lists: MB", "installed_mb", 200.0),
    ("its packages", "packages", None),
    ("a process that imports simcore: seconds", "import_s", 0.25),
    ("... that imports what loads and simulates: seconds", "simulate_s", None),
    ("`workbook run mine.yaml`, two flows at 2 Mb/s for 10 s, compiled, cache warm: seconds", "run_s", 0.4),
)
MEMORY = {
    "log": "rows of the log",
    "dataset": "the Dataset",
    "peak": "most that is allocated at a time until the Dataset is there",
}


def report(result: Json) -> str:
    """Everything, section by section."""
    sections = (
        "# Benchmarks",
        _where(result),
        "## Thousand data packets per CPU second",
        "The event loop alone, without building the network, and without a trace unless it says so; median, least and "
        "greatest of all rounds. ns-2's packets carry the headers of all its protocols unless a script says otherwise; "
        "`whole process` is the same run from the start of `ns` to its end. ns-3 and ns.py have a TCP of their own. "
        + _same_work(result),
        _speeds(result),
        *_notes(result),
        "## Ratios",
        "Taken round by round: both sides ran one after the other.",
        _ratios(result),
        "## Small runs: two flows at 2 Mb/s for 10 s, compiled engine",
        _costs(result),
        *_installation(result),
        "## Bytes of memory per recorded data packet, with its ACK and the changes of the window",
        table([["what", "bytes"], *([MEMORY[key], number(value)] for key, value in result["memory"].items())]),
        *_page(result),
        *_many_flows(result),
        *_first_runs(result),
    )
    return "\n\n".join(sections) + "\n"


def table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table whose columns are aligned in a terminal too; the first row is its head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *body = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["-" * width for width in widths], *body))


def number(value: float) -> str:
    """Three digits, and more where they stand before the point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}"


def measured(spread: Json) -> str:
    """The median, and in brackets the least and the greatest if it was measured more than once."""
    if spread["min"] == spread["max"]:
        return number(spread["median"])
    return f"{number(spread['median'])} ({number(spread['min'])} to {number(spread['max'])})"


def _where(result: Json) -> str:
    facts = result["machine"]
    used = ", ".join(f"{name} {version}" for name, version in result["versions"].items() if version)
    packages = ", ".join(
        f"{name} {facts[name]}" for name in ("python", "numba", "llvmlite", "numpy", "simpy") if name in facts
    )
    return f"{result['date']}, {facts['processor']}, {facts['cores']} cores, {facts['system']}; {packages}; {used}."


def _same_work(result: Json) -> str:
    """Have the compiled engine and ns-2 sent the same packets?"""
    ours, theirs = (result["speeds"][key]["loads"] for key in ("compiled", "ns2"))
    compared = {key: (ours[key]["packets"], theirs[key]["packets"]) for key in ours if "packets" in theirs[key]}
    if not compared:
        return ""
    counts = ", ".join(f"{a:,} and {b:,}" if a != b else f"{a:,}" for a, b in compared.values())
    same = all(a == b for a, b in compared.values())
    number_of = "the same number of" if same else "different numbers of"
    return f"The compiled engine and ns-2 send {number_of} packets: {counts}."


def _speeds(result: Json) -> str:
    loads = result["loads"]
    rows = (
        [simulator["title"], *(_speed(simulator["loads"][key], load) for key, load in loads.items())]
        for simulator in result["speeds"].values()
    )
    return table([["simulator", *(load["title"] for load in loads.values())], *rows])


def _speed(speed: Json, load: Json) -> str:
    if "missing" in speed:
        return NOTHING
    return measured(speed) + (SHORTENED if speed["simulated_s"] < load["end_s"] else "")


def _notes(result: Json) -> Iterable[str]:
    """What a reader has to know about the table of speeds."""
    for simulator in result["speeds"].values():
        reasons = {load["missing"] for load in simulator["loads"].values() if "missing" in load}
        yield from (f"{NOTHING} {simulator['title']}: {reason}." for reason in sorted(reasons))
    shortened = {
        f"the first {speed['simulated_s']:g} s of {result['loads'][key]['title']}"
        for simulator in result["speeds"].values()
        for key, speed in simulator["loads"].items()
        if "missing" not in speed and speed["simulated_s"] < result["loads"][key]["end_s"]
    }
    if shortened:
        yield f"\\{SHORTENED} Only {' and '.join(sorted(shortened))}: a whole run takes minutes."


def _ratios(result: Json) -> str:
    found = {(ratio["over"], ratio["under"], ratio["load"]): ratio for ratio in result["ratios"]}
    titles = {key: simulator["title"] for key, simulator in result["speeds"].items()}
    pairs = dict.fromkeys((over, under) for over, under, _ in found)
    rows = (
        [f"{titles[over]} / {titles[under]}", *(_ratio(found.get((over, under, load))) for load in result["loads"])]
        for over, under in pairs
    )
    return table([["ratio", *(load["title"] for load in result["loads"].values())], *rows])


def _ratio(ratio: Json | None) -> str:
    return NOTHING if ratio is None else measured(ratio) + _verdict(ratio["median"], ratio["goal"])


def _verdict(value: float, least: float | None) -> str:
    if least is None:
        return ""
    return f", goal {least:g} {'met' if value >= least else 'missed'}"


def _many_flows(result: Json) -> Iterable[str]:
    """What a packet costs when ever more flows share the link; nothing of a result from before this was measured."""
    if "many_flows" in result:
        yield "## CPU nanoseconds of the compiled loop for a data packet, by number of flows"
        yield table([["flows", "ns"], *([flows, measured(ns)] for flows, ns in result["many_flows"].items())])


def _installation(result: Json) -> Iterable[str]:
    """What installing the library and running one scenario takes; nothing of a result from before."""
    if "installation" in result:
        yield "## The library alone"
        taken = {name: _as_spread(value) for name, value in result["installation"].items()}
        rows = ([title, measured(taken[name]) + _below(taken[name], most)] for title, name, most in INSTALLATION)
        yield table([["what", "median (least to greatest)"], *rows])


def _as_spread(value: float | Json) -> Json:
    """What was measured once, too."""
    return value if isinstance(value, Mapping) else {"median": value, "min": value, "max": value}


def _page(result: Json) -> Iterable[str]:
    """What a reader of the explorer's page waits for; why it was not measured; nothing of a result from before."""
    if "page" not in result:
        return
    yield "## Milliseconds in the explorer as a page"
    page = result["page"]
    if "missing" in page:
        yield f"Not measured: {page['missing']}."
        return
    yield f"{page['browser']}, without a window, from the disk."
    rows = ([title, measured(page[name]) + _below(page[name], most)] for title, name, most in PAGE)
    yield table([["what", "median (least to greatest)"], *rows])


def _below(spread: Json, most: float | None) -> str:
    """Is the median below a goal?"""
    return "" if most is None else f", goal below {most:g} {'met' if spread['median'] < most else 'missed'}"


def _first_runs(result: Json) -> Iterable[str]:
    """What the first run of each kind of network costs, the dearest first; nothing of a result from before."""
    if "first_runs" in result:
        dearest_first = sorted(result["first_runs"].items(), key=lambda run: run[1], reverse=True)
        met = all(cpu_s < FIRST_RUN_GOAL_S for _, cpu_s in dearest_first)
        yield "## CPU seconds of the first compiled run of each kind of network"
        yield (
            "A whole process with an empty cache: Python, its packages, compiling, and 10 s of the baseline; "
            f"goal below {FIRST_RUN_GOAL_S:g} {'met by all' if met else 'missed'}."
        )
        yield table([["kind of network", "CPU s"], *([title, number(cpu_s)] for title, cpu_s in dearest_first)])


def _costs(result: Json) -> str:
    rows = []
    for title, group, name, detail, most in COSTS:
        if name not in result.get(group, {}):  # a result from before this was measured
            continue
        spread = result[group][name][detail] if detail else result[group][name]
        rows.append([title, measured(spread) + _below(spread, most)])
    return table([["what", "median (least to greatest)"], *rows])
