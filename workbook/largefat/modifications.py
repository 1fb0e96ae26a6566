"""Slides 10 and 11: what each modification does where packets are lost or refused, and the gap between packets."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook import style
from workbook.largefat import looks
from workbook.largefat.lab import Lab
from workbook.largefat.long_runs import tcp_of
from workbook.largefat.settings import Bench
from workbook.plots.frame import framed, legend, note, stack, tag

CASES = ("lambda622", "receiver", "local-congestion")
PACED, GAP, QUEUE = "lambda622", "hosts.0.gap_us", "hosts.0.queue_packets"


def measure(lab: Lab) -> dict[str, Any]:
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


def _bench(lab: Lab, bench: Bench) -> dict[str, Any]:
    found = {}
    for name, changes in bench.changes.items():
        run = lab.counted(bench.case, {"end_s": 60.0, **changes})
        found[name] = {"mbps": float(run.mbps[0]), "dropped": run.total("dropped")}
    return found


def _queues(lab: Lab) -> tuple[int, int]:
    """The lengths of the interface queue with which the gap is tried: deep, and Linux's default."""
    return lab.scenario(PACED).hosts[0].queue_packets, lab.scenario("local-congestion").hosts[0].queue_packets


def _paced(lab: Lab, gap_us: float, queue: int) -> dict[str, float]:
    run = lab.counted(PACED, {GAP: gap_us, QUEUE: queue})
    return {"gap_us": gap_us, "mbps": float(run.mbps[0]), "dropped": run.total("dropped")}


def benches_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Slide 10: bars for each modification, one panel for each place where a stream can be stopped."""
    figure = framed(
        "Each modification helps where its own problem is; HSTCP alone solves none of them",
        "one stream of 60 s, RTT 105 ms; payload in Mb/s, and how many packets were lost",
    )
    grid = figure.add_gridspec(1, len(numbers["benches"]), left=0.145, right=0.985, bottom=0.06, top=0.84, wspace=0.75)
    for i, (name, found) in enumerate(numbers["benches"].items()):
        _bars(figure.add_subplot(grid[0, i]), lab.settings.benches[name].title, found)
    return figure


def _bars(ax: Axes, title: str, found: Mapping[str, Mapping[str, float]]) -> None:
    colours = [looks.BURST.colour if one["dropped"] else looks.PER_PACKET.colour for one in found.values()]
    ax.barh(range(len(found)), [one["mbps"] for one in found.values()], color=colours, height=0.62)
    for row, one in enumerate(found.values()):
        lost = f", {one['dropped']} lost" if one["dropped"] else ""
        ax.text(one["mbps"] + 15, row, f"{one['mbps']:.0f}{lost}", va="center", fontsize=8.5)
    ax.set_yticks(range(len(found)), [name.replace("-", " ") for name in found])
    ax.set_ylim(len(found) - 0.4, -0.6)
    ax.set_xlim(0, 1250)
    ax.set_xticks([0, 500, 1000])
    ax.grid(axis="y", visible=False)
    tag(ax, title, style.QUIET)


def gap_figure(lab: Lab, numbers: Mapping[str, Any]) -> Figure:
    """Slide 11: the rate and the losses over the gap."""
    figure = framed(
        "A gap as long as the bottleneck's removes every loss, if the interface queue is deep",
        "lambda of 622 Mb/s, 60 s; least time between the beginnings of two packets at the device",
    )
    [above], [below] = stack(figure, 2, 1, "gap in microseconds", "")
    for name, look in zip(numbers["gaps"], (looks.PER_PACKET, looks.DELAYED), strict=True):
        gaps = [one["gap_us"] for one in numbers["gaps"][name]]
        for ax, what in ((above, "mbps"), (below, "dropped")):
            found = [one[what] for one in numbers["gaps"][name]]
            ax.plot(gaps, found, color=look.colour, marker=look.marker, markersize=5,
                    label=f"interface queue of {name.removeprefix('txq')}")  # fmt: skip
    for ax in (above, below):
        ax.axvline(numbers["gap_formula_us"], color=looks.FORMULA.colour, linestyle=":", label="frame / s")
    tcp = tcp_of(lab.scenario(PACED))
    late = [gap for gap in lab.settings.gaps_us if gap >= numbers["gap_formula_us"]]
    above.plot(late, [8 * tcp.packet_bytes / gap for gap in late], color=looks.FORMULA.colour, label="payload / gap")
    above.set_ylabel("Mb/s")
    below.set_ylabel("packets lost")
    note(above, f"frame / s = {numbers['gap_formula_us']:.2f} µs")
    legend(figure)
    return figure
