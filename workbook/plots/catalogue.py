"""Which figures there are of a case, what each is called, and how it is put together."""

from collections.abc import Callable
from dataclasses import dataclass

import xarray as xr
from matplotlib.figure import Figure

from workbook import style
from workbook.plots.delay import jitter, latency
from workbook.plots.frame import framed, legend, share_y, stack, tag
from workbook.plots.queue import queue, queue_total
from workbook.plots.sequence import sequence, sequence_close_up
from workbook.plots.throughput import instant_throughput, system_throughput
from workbook.plots.window import cwnd


@dataclass(frozen=True)
class Plot:
    """One figure of a case. `panels` are drawn side by side, in a row for each flow of the given kinds."""

    stem: str
    title: str
    ylabel: str
    caption: str
    panels: tuple[Callable[..., None], ...]
    kinds: tuple[str, ...] = ("tcp", "udp")
    same_y: bool = True

    def flows(self, ds: xr.Dataset) -> list[int]:
        """The flows that get a row."""
        return [int(f) for f, kind in zip(ds["flow"].values, ds["flow_kind"].values, strict=True) if kind in self.kinds]

    def draw(self, ds: xr.Dataset, subtitle: str) -> Figure:
        """The finished figure."""
        flows = self.flows(ds)
        figure = framed(self.title, subtitle)
        rows = stack(figure, len(flows), len(self.panels), "time in s", self.ylabel)
        for row, flow in zip(rows, flows, strict=True):
            tag(row[0], style.name(ds, flow), style.look(ds, flow).colour)
            for draw, ax in zip(self.panels, row, strict=True):
                draw(ds, ax, flow)
        if self.same_y:
            share_y([row[0] for row in rows])
        legend(figure)
        return figure


@dataclass(frozen=True)
class CommonPlot(Plot):
    """A figure with one panel for all flows together."""

    def draw(self, ds: xr.Dataset, subtitle: str) -> Figure:
        """The finished figure."""
        figure = framed(self.title, subtitle)
        [[ax]] = stack(figure, 1, 1, "time in s", self.ylabel)
        self.panels[0](ds, ax)
        legend(figure)
        return figure


PLOTS = (
    Plot(
        "instant-throughput",
        "Instant throughput: how fast the packets of a flow follow each other",
        "instant throughput in kb/s",
        "Bits of each packet over the time since the flow's previous one arrived, smoothed (EWMA, 0.9 on the past).",
        (instant_throughput,),
    ),
    CommonPlot(
        "system-throughput",
        "System throughput: what each flow has had of the link since its start",
        "system throughput in kb/s",
        "All bits received so far over the time since the flow's start.",
        (system_throughput,),
    ),
    Plot(
        "latency",
        "Latency: how long a packet takes from sender to receiver",
        "latency in ms",
        "One dot per packet received; ticks at the top: data that had been lost and sent again.",
        (latency,),
    ),
    Plot(
        "jitter",
        "Jitter: how much the latency changes from one packet to the next",
        "jitter in ms",
        "Latency of a packet minus that of the flow's previous packet; above zero: slower than the one before.",
        (jitter,),
    ),
    Plot(
        "queue",
        "Queue: how many packets of each flow wait for the link",
        "packets waiting",
        "Packets waiting, without the one being sent: range and average over time in short spans.",
        (queue,),
    ),
    CommonPlot(
        "queue-total",
        "Total queue: how full the buffer at the bottleneck is",
        "packets waiting",
        "Packets of all flows waiting, without the one being sent: range and average over time in short spans.",
        (queue_total,),
    ),
    Plot(
        "cwnd",
        "Congestion window: how it grew, and what cut it",
        "packets",
        "cwnd and ssthresh of each TCP sender; slow start is shaded, reactions to loss are marked.",
        (cwnd,),
        kinds=("tcp",),
    ),
    Plot(
        "time-sequence",
        "Sequence numbers: what was sent, lost and sent again",
        "sequence number",
        "Left the whole run; right the shaded seconds around the first drop (or the start), with the ACKs.",
        (sequence, sequence_close_up),
        same_y=False,
    ),
)


def plots_for(ds: xr.Dataset) -> list[Plot]:
    """The figures that make sense for a dataset: no windows without TCP, no total of a single flow."""
    alone = ds.sizes["flow"] == 1
    return [plot for plot in PLOTS if plot.flows(ds) and not (alone and plot.stem == "queue-total")]
