"""Slide 8: a receiver that takes less than the path brings. It is the bottleneck, its backlog the memory."""

from matplotlib.figure import Figure

from simcore import metrics
from simcore.results.tree import Run, dataset_of
from workbook.chapters.large_fat import looks, memory
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.statistics import Statistics
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, note, stack, tag

CASES = ("receiver", "receiver-burst")
TITLE = "The receiver can't cope with the burst"


def measure(lab: Lab) -> Statistics:
    """How long a burst may be, and what TCP gets, for several backlogs."""
    scenario = lab.scenario("receiver-burst")
    size, rate = scenario.flows[0].packet_bytes, scenario.bottleneck.rate_mbps
    held = metrics.buffer_packets(lab.run("receiver-burst", {"end_s": 0.01}))
    assert held is not None
    return {
        "mbps": rate,
        "backlog": held,
        "longest_burst": longest_burst(lab),
        "longest_burst_formula": memory.first_lost(
            (held - 1) * size, size, lab.settings.fast_mbps, rate
        ),  # one is taken
        "over": {f"backlog{room}": _tcp(lab, room) for room in lab.settings.backlogs_packets},
    }


def longest_burst(lab: Lab) -> int:
    """How many packets that come back to back all get in: those before the first that is refused."""
    ds = lab.run("receiver-burst", {"end_s": 0.1})
    return int(ds["packet_dropped"].values.argmax())


def _tcp(lab: Lab, backlog: int) -> Statistics:
    numbers = {}
    for sink in ("immediate", "delayed"):
        run = lab.counted("receiver", {"bottleneck.buffer_packets": backlog, "flows.0.sink": sink})
        numbers[sink] = {"mbps": float(run.mbps[0]), "dropped": run.total("dropped")}
    return numbers


def receiver_figure(run: Run, numbers: Statistics) -> Figure:
    """The first seconds of a stream: its window, and what waits at the receiver."""
    ds = dataset_of(run)
    figure = framed(
        TITLE,
        f"no bottleneck but a receiver that takes {numbers['mbps']:g} Mb/s; {numbers['backlog']} may wait; "
        "one TCP stream, RTT 105 ms",
    )
    [above], [below] = stack(figure, 2, 1, "time in s", "packets")
    steps, waiting, look = metrics.window(ds, 1), metrics.queue_packets(ds), style.MARKS["drop"]
    above.plot(steps["time_s"], steps["cwnd"], color=looks.PER_PACKET.colour, label="cwnd")
    tag(above, "window", style.QUIET)
    below.plot(waiting["time_s"], waiting, color=looks.BURST.colour, linewidth=0.8, label="backlog of the receiver")
    drops = metrics.drop_times_s(ds, 1)
    below.plot(drops, [numbers["backlog"]] * drops.size, "|", color=look.colour, markersize=9, label="dropped there")
    tag(below, "at the receiver", style.QUIET)
    lost = numbers["over"][f"backlog{numbers['backlog']}"]["immediate"]
    note(below, f"{drops.size} lost here; {lost['mbps']:.0f} Mb/s over a minute")
    above.set_xlim(0, metrics.end_s(ds))
    legend(figure)
    alt = f"{TITLE}. The backlog fills to {numbers['backlog']} packets, {drops.size} are lost, and the window falls."
    return describe(figure, "Slide 8: the receiver overrun.", alt, TITLE)
