"""Slides 10 and 11: what each modification does where packets are lost or refused, and the gap between packets."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook.chapters.large_fat import looks
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.large_fat.law import Fit, fitted
from workbook.chapters.large_fat.long_runs import tcp_of
from workbook.chapters.large_fat.settings import Bench, Settings
from workbook.chapters.statistics import Statistics
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, stack, tag

CASES = ("lambda622", "receiver", "local-congestion")
BENCHES = "Each modification helps where its own problem is; HSTCP alone solves none of them"
PACING = "A gap as long as the bottleneck's removes every loss, if the interface queue is deep"
PACED, GAP, QUEUE = "lambda622", "hosts.0.gap_us", "hosts.0.queue_packets"


def measure(lab: Lab) -> Statistics:
    """The rate with each modification at each bench, and over the gap with a deep and with Linux's queue."""
    benches = {name: _bench(lab, bench) for name, bench in lab.settings.benches.items()}
    scenario = lab.scenario(PACED)
    wire_bytes = tcp_of(scenario).packet_bytes + scenario.profile.header_bytes
    return {
        "benches": benches,
        "gap_formula_us": 8 * wire_bytes / scenario.bottleneck.rate_mbps,
        "gaps": {f"txq{queue}": [_paced(lab, gap, queue) for gap in lab.settings.gaps_us] for queue in _queues(lab)},
        "paced_alone": _paced(lab, lab.settings.gap_us, _queues(lab)[0]),
        "paced_default_queue": _paced(lab, lab.settings.gap_us, _queues(lab)[1]),
    }


def _bench(lab: Lab, bench: Bench) -> Statistics:
    numbers = {}
    for name, changes in bench.changes.items():
        run = lab.counted(bench.case, {"end_s": 60.0, **changes})
        numbers[name] = {"mbps": float(run.mbps[0]), "dropped": run.total("dropped")}
    return numbers


def _queues(lab: Lab) -> tuple[int, int]:
    """The lengths of the interface queue with which the gap is tried: deep, and Linux's default."""
    return lab.scenario(PACED).hosts[0].queue_packets, lab.scenario("local-congestion").hosts[0].queue_packets


def _paced(lab: Lab, gap_us: float, queue: int) -> dict[str, float]:
    run = lab.counted(PACED, {GAP: gap_us, QUEUE: queue})
    return {"gap_us": gap_us, "mbps": float(run.mbps[0]), "dropped": run.total("dropped")}


def benches_table(settings: Settings, numbers: Statistics) -> pd.DataFrame:
    """A row for each modification at each place where a stream can be stopped."""
    return pd.DataFrame(
        [
            {"place": bench.title, "changed": name.replace("-", " "), **numbers["benches"][where][name]}
            for where, bench in settings.benches.items()
            for name in bench.changes
        ]
    )


def benches_figure(table: pd.DataFrame) -> Figure:
    """Slide 10: a point for each modification, a panel for each place where a stream can be stopped."""
    figure = framed(BENCHES, "one stream of 60 s, RTT 105 ms; a cross: packets were lost; a triangle: none was")
    places = table["place"].unique()
    grid = figure.add_gridspec(1, len(places), left=0.145, right=0.985, bottom=0.12, top=0.84, wspace=0.75)
    for i, place in enumerate(places):
        _bench_panel(figure.add_subplot(grid[0, i]), table[table["place"] == place], str(place))
    words = "; ".join(
        f"{one.place}, {one.changed}: {one.mbps:.0f} Mb/s, {one.dropped} lost" for one in table.itertuples()
    )
    return describe(figure, "Slide 10: what each modification does, alone.", f"{BENCHES}. {words}.", BENCHES)


def _bench_panel(ax: Axes, table: pd.DataFrame, title: str) -> None:
    order = list(table["changed"])
    for lost, look in ((False, looks.PER_PACKET), (True, looks.LOSING)):
        some = table[(table["dropped"] > 0) == lost]
        sns.stripplot(some, x="mbps", y="changed", order=order, color=look.colour, marker=look.marker, size=9,
                      jitter=False, linewidth=0, ax=ax)  # fmt: skip
    for row, (mbps, dropped) in enumerate(zip(table["mbps"].tolist(), table["dropped"].tolist(), strict=True)):
        words = f"{mbps:.0f}, {dropped} lost" if dropped else f"{mbps:.0f}"
        ax.text(mbps, row - 0.17, words, ha="left" if mbps < 600 else "center", fontsize=8.5)
    ax.set(xlabel="payload in Mb/s", ylabel="", xlim=(0, 1100), xticks=[0, 500, 1000])
    ax.grid(visible=True, axis="both")
    tag(ax, title, style.QUIET)


def gap_table(numbers: Statistics) -> pd.DataFrame:
    """A row for each gap and each length of the interface queue, the deep one first."""
    rows = [
        {"queue_packets": int(name.removeprefix("txq")), **one}
        for name, gaps in numbers["gaps"].items()
        for one in gaps
    ]
    return pd.DataFrame(rows).sort_values(["queue_packets", "gap_us"], ascending=[False, True], ignore_index=True)


def pacing_law(table: pd.DataFrame, frame_us: float) -> Fit:
    """Bits for each gap, fitted to the runs with a deep queue whose gap sets the pace."""
    paced = table[(table["queue_packets"] == table["queue_packets"].max()) & (table["gap_us"] > frame_us - 0.01)]
    return fitted(lambda gap_us, bits: bits / gap_us, paced["gap_us"], paced["mbps"])


def gap_figure(table: pd.DataFrame, frame_us: float, law: Fit) -> Figure:
    """Slide 11: the rate and the losses over the gap; `frame_us` is how long the bottleneck takes for a frame."""
    figure = framed(PACING, "lambda of 622 Mb/s, 60 s; least time between the beginnings of two packets at the device")
    [above], [below] = stack(figure, 2, 1, "gap in microseconds", "")
    table = table.assign(queue=[f"interface queue of {packets}" for packets in table["queue_packets"]])
    seen = dict(zip(table["queue"].unique(), (looks.PER_PACKET, looks.DELAYED), strict=True))
    for ax, what in ((above, "mbps"), (below, "dropped")):
        sns.lineplot(
            table, x="gap_us", y=what, hue="queue", style="queue", dashes=False, ax=ax,
            markers={name: look.marker for name, look in seen.items()}, legend=ax is above,
            palette={name: look.colour for name, look in seen.items()}, markersize=7,
        )  # fmt: skip
        ax.axvline(frame_us, color=looks.FORMULA.colour, linestyle=":",
                   label=f"{frame_us:.2f} µs for a frame at the bottleneck")  # fmt: skip
    late = np.linspace(frame_us, table["gap_us"].max())
    above.plot(late, law.value / late, color=looks.FORMULA.colour, label="fitted: bits / gap")
    above.set(ylabel="payload in Mb/s", xlabel="")
    below.set(ylabel="packets lost", xlabel="")
    legend(figure)
    above.legend().remove()
    alt = f"{PACING}. Below {frame_us:.2f} µs packets are lost; above, the rate is {law.value:.0f} bits a gap."
    return describe(figure, "Slide 11: delay at the device.", alt, PACING)
