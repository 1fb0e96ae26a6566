"""Which figures there are of a run: each is called with data, and with axes if it shall not make its own.

cwnd(runs["baseline"])                  a panel for each TCP flow, in a figure of its own
cwnd(runs["baseline"], ax, flow=2)      one flow, on axes of yours
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import matplotlib.pyplot as plt
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simcore.results.tree import Run, dataset_of
from workbook.plots import delay, states, style, throughput, window
from workbook.plots import queue as queues
from workbook.plots import sequence as sequences
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, share_y, stack, tag

FOLLOWED: Final = ("packet_sent_s", "packet_arrived_s")  # packets that were seen at both ends


@dataclass(frozen=True)
class Plot:
    """One figure of a run. `panels` are drawn side by side, in a row for each flow of the given kinds.

    `stem` is the name of its file, `needs` variables without which there is nothing to draw. It is called as
    seaborn's functions are: with data, and axes if there are any.
    """

    stem: str
    title: str
    ylabel: str
    caption: str
    panels: tuple[Callable[..., None], ...]
    kinds: tuple[str, ...] = ("tcp", "udp")
    same_y: bool = True
    needs: tuple[str, ...] = ("packet_uid",)

    def __call__(self, run: Run, ax: Axes | Sequence[Axes] | None = None, flow: int | None = None) -> list[Axes]:
        """Draw a run, and return the axes it is on.

        Without `ax` a figure is made, with a row of panels for each flow. With `ax` (as many axes as the figure has
        panels side by side) one flow is drawn there: `flow`, or the first that the figure makes sense for. Raises
        ValueError if there is none.
        """
        ds = dataset_of(run)
        if not self.flows(ds):
            raise ValueError(f"{self.stem}: no flow of the run is of a kind that it shows ({', '.join(self.kinds)})")
        if ax is None:
            return self._fill(plt.figure(), ds, _setting(ds)).axes
        axes = [ax] if isinstance(ax, Axes) else list(ax)
        for draw, one in zip(self.panels, axes, strict=True):
            draw(ds, one, self.flows(ds)[0] if flow is None else flow)
        axes[0].set(ylabel=self.ylabel)
        return axes

    def draw(self, run: Run, subtitle: str) -> Figure:
        """The finished figure, of which pyplot knows nothing, with what was simulated below its title."""
        return self._fill(None, dataset_of(run), subtitle)

    def flows(self, ds: xr.Dataset) -> list[int]:
        """The flows that get a row."""
        return [int(f) for f, kind in zip(ds["flow"].values, ds["flow_kind"].values, strict=True) if kind in self.kinds]

    def _fill(self, figure: Figure | None, ds: xr.Dataset, subtitle: str) -> Figure:
        flows = self.flows(ds)
        figure = framed(self.title, subtitle, figure)
        rows = stack(figure, len(flows), len(self.panels), "time in s", self.ylabel)
        for row, flow in zip(rows, flows, strict=True):
            tag(row[0], style.name(ds, flow), style.look(ds, flow).colour)
            for draw, ax in zip(self.panels, row, strict=True):
                draw(ds, ax, flow)
        if self.same_y:
            share_y([row[0] for row in rows])
        return self._finished(figure, subtitle)

    def _finished(self, figure: Figure, subtitle: str) -> Figure:
        legend(figure)
        seen = [f"{ax.get_title(loc='left')}: {ax.get_title(loc='right')}".strip(": ") for ax in figure.axes]
        alt = f"{subtitle}. {self.title}. {self.ylabel} against time. {'. '.join(filter(None, seen))}".rstrip(". ")
        return describe(figure, self.caption, f"{alt}.", self.title)


@dataclass(frozen=True)
class CommonPlot(Plot):
    """A figure with one panel for all flows together."""

    def __call__(self, run: Run, ax: Axes | Sequence[Axes] | None = None, flow: int | None = None) -> list[Axes]:
        """Draw a run, on `ax` if given, and return the axes; `flow` means nothing here."""
        ds = dataset_of(run)
        if not isinstance(ax, Axes):
            return self._fill(plt.figure(), ds, _setting(ds)).axes
        self.panels[0](ds, ax)
        ax.set(ylabel=self.ylabel)
        return [ax]

    def _fill(self, figure: Figure | None, ds: xr.Dataset, subtitle: str) -> Figure:
        figure = framed(self.title, subtitle, figure)
        [[ax]] = stack(figure, 1, 1, "time in s", self.ylabel)
        self.panels[0](ds, ax)
        return self._finished(figure, subtitle)


def _setting(ds: xr.Dataset) -> str:
    """What a figure made in a cell says below its title: the run's name."""
    return str(ds.attrs["title"])


instant_throughput = Plot(
    "instant-throughput",
    "Instant throughput: how fast the packets of a flow follow each other",
    "instant throughput in kb/s",
    "Bits of each packet over the time since the flow's previous one arrived, smoothed (EWMA, 0.9 on the past).",
    (throughput.instant_throughput,),
    needs=("packet_arrived_s",),
)
system_throughput = CommonPlot(
    "system-throughput",
    "System throughput: what each flow has had of the link since its start",
    "system throughput in kb/s",
    "All bits received so far over the time since the flow's start.",
    (throughput.system_throughput,),
    needs=("packet_arrived_s",),
)
latency = Plot(
    "latency",
    "Latency: how long a packet takes from sender to receiver",
    "latency in ms",
    "One dot per packet received; ticks at the top: data that had been lost and sent again.",
    (delay.latency,),
    needs=FOLLOWED,
)
rtt = Plot(
    "rtt",
    "Round-trip time: how long until a segment is acknowledged",
    "round-trip time in ms",
    "One dot per segment that was sent once, at the arrival of the first ACK that covers it.",
    (delay.rtt,),
    kinds=("tcp",),
    needs=("packet_sent_s", "ack_arrived_s"),
)
jitter = Plot(
    "jitter",
    "Jitter: how much the latency changes from one packet to the next",
    "jitter in ms",
    "Latency of a packet minus that of the flow's previous packet; above zero: slower than the one before.",
    (delay.jitter,),
    needs=FOLLOWED,
)
queue = Plot(
    "queue",
    "Queue: how many packets of each flow wait for the link",
    "packets waiting",
    "Packets waiting, without the one being sent: range and average over time in short spans.",
    (queues.queue,),
    needs=("change_s",),
)
queue_total = CommonPlot(
    "queue-total",
    "Total queue: how full the buffer at the bottleneck is",
    "packets waiting",
    "Packets of all flows waiting, without the one being sent: range and average over time in short spans.",
    (queues.queue_total,),
    needs=("change_s",),
)
cwnd = Plot(
    "cwnd",
    "Congestion window: how it grew, and what cut it",
    "packets",
    "cwnd and ssthresh of each TCP sender; slow start is shaded, reactions to loss are marked.",
    (window.cwnd,),
    kinds=("tcp",),
    needs=("update_cwnd",),
)
flight_size = Plot(
    "flight-size",
    "Flight size: how much was sent and not yet acknowledged",
    "packets",
    "The highest sequence number sent, less the highest acknowledged: what a capture shows of the window.",
    (window.flight_size,),
    kinds=("tcp",),
    needs=("packet_sent_s", "ack_arrived_s"),
)
time_sequence = Plot(
    "time-sequence",
    "Sequence numbers: what was sent, lost and sent again",
    "sequence number",
    "Left the whole run; right the shaded seconds around the first drop (or the start), with the ACKs.",
    (sequences.sequence, sequences.sequence_close_up),
    same_y=False,
)

PLOTS = (
    instant_throughput,
    system_throughput,
    latency,
    jitter,
    queue,
    queue_total,
    cwnd,
    time_sequence,
)


def plots_for(run: Run) -> list[Plot]:
    """The figures that make sense for a dataset: no windows without TCP, no total of a single flow.

    Where nobody recorded a window, what was in flight stands in its place; where no packet was seen at both ends, the
    round-trip time stands in that of the latency.
    """
    ds = dataset_of(run)
    alone = ds.sizes["flow"] == 1
    stands_for = {cwnd: flight_size, latency: rtt}
    shown = [plot if _has(ds, plot) else stands_for.get(plot, plot) for plot in PLOTS]
    possible = [plot for plot in [*shown, *_of_states(ds)] if plot.flows(ds) and _has(ds, plot)]
    return [plot for plot in possible if not (alone and plot.stem == "queue-total")]


def _of_states(ds: xr.Dataset) -> Iterator[Plot]:
    """A figure for each field that rules recorded of their states."""
    for table, draw in {"state": states.of_senders, "discipline": states.of_queues}.items():
        for name in (str(each) for each, variable in ds.data_vars.items() if variable.dims == (table,)):
            short, attributes = name.removeprefix(f"{table}_"), ds[name].attrs
            if short not in ("s", "flow", "link"):
                title, unit = f"{short}: {attributes['long_name']}", f"in {attributes['units']}"
                caption = f"What the rules recorded of their state: {short}."
                panels = (partial(draw, name=short),)
                yield CommonPlot(name.replace("_", "-"), title, unit, caption, panels, needs=(name,))


def _has(ds: xr.Dataset, plot: Plot) -> bool:
    return all(name in ds for name in plot.needs)
