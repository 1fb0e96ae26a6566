"""Pictures in a notebook cell: the chapters' figures of a run, and curves of a student's own numbers."""

import io
from collections.abc import Mapping, Sequence

import xarray as xr
from IPython.display import Image, display
from matplotlib.figure import Figure

from simcore import metrics
from workbook.plots import style
from workbook.plots.catalogue import plots_for
from workbook.plots.frame import framed, legend, stack


def show(ds: xr.Dataset, *stems: str) -> None:
    """Show figures of a run, one below the other: "cwnd", "latency", "queue", "system-throughput", ...

    Raises ValueError for a figure that doesn't exist or doesn't make sense for this run.
    """
    plots = {plot.stem: plot for plot in plots_for(ds)}
    for stem in stems:
        if stem not in plots:
            raise ValueError(f"no figure {stem!r} of this run; there is {', '.join(plots)}")
        _display(plots[stem].draw(ds, _network(ds)))


def curves(
    title: str,
    xlabel: str,
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    limits: Mapping[str, float] = {},
) -> None:
    """Show curves over a common `x`, a panel for each, by the label of its y axis.

    `limits` are vertical lines that explain: a name and where it stands.
    """
    figure, look, limit = framed(title, ""), style.FLOWS["tcp"][0], style.MARKS["limit"]
    for (ax,), (ylabel, values) in zip(stack(figure, len(lines), 1, xlabel, ""), lines.items(), strict=True):
        ax.set_title(ylabel, loc="left", color=style.QUIET)
        ax.plot(x, values, color=look.colour, marker=look.marker)
        for name, place in limits.items():
            ax.axvline(place, color=limit.colour, linestyle=limit.linestyle, label=name)
        ax.set_ylim(0, 1.1 * max([*values, 1e-9]))
    legend(figure)
    _display(figure)


def _network(ds: xr.Dataset) -> str:
    """The bottleneck in a few words."""
    link = metrics.setup(ds)
    buffer = f", buffer of {link['buffer_packets']} packets" if "buffer_packets" in link else ""
    return f"{link['rate_mbps']:g} Mb/s, {link['delay_ms']:g} ms, {link['queue']}{buffer}"


def _display(figure: Figure) -> None:
    """Show a figure that pyplot knows nothing of: it can't pile up, and needs no backend."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    display(Image(picture.getvalue(), alt=figure.texts[0].get_text()))
