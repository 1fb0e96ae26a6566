"""Pictures in a notebook cell: the chapters' figures of a run, and curves of a student's own numbers."""

import io
from collections.abc import Mapping, Sequence
from itertools import cycle

import xarray as xr
from IPython.display import Image, display
from matplotlib.figure import Figure

from workbook import style
from workbook.plots.catalogue import plots_for
from workbook.plots.frame import framed, legend, stack

CURVES = tuple(style.FLOWS["tcp"] + style.FLOWS["udp"])


def show(ds: xr.Dataset, *stems: str) -> None:
    """Show figures of a run, one below the other: "cwnd", "latency", "queue", "system-throughput", ...

    Raises ValueError for a figure that doesn't exist or doesn't make sense for this run.
    """
    plots = {plot.stem: plot for plot in plots_for(ds)}
    for stem in stems:
        if stem not in plots:
            raise ValueError(f"no figure {stem!r} of this run; there is {', '.join(plots)}")
        _display(plots[stem].draw(ds, ds.attrs["title"]))


def curves(
    title: str,
    xlabel: str,
    x: Sequence[float],
    lines: Mapping[str, Mapping[str, Sequence[float]]],
    limits: Mapping[str, float] | None = None,
) -> None:
    """Show curves over a common `x`: a panel for each label of the y axis, in it a line for each name.

    `limits` are vertical lines that explain: a name and where it stands.
    """
    figure = framed(title, "")
    panels = stack(figure, len(lines), 1, xlabel, "")
    for (ax,), (ylabel, named) in zip(panels, lines.items(), strict=True):
        ax.set_title(ylabel, loc="left", color=style.QUIET)
        for (name, values), look in zip(named.items(), cycle(CURVES), strict=False):
            ax.plot(x, values, color=look.colour, marker=look.marker, linestyle=look.linestyle, label=name)
        for name, place in (limits or {}).items():
            ax.axvline(place, color=style.MARKS["limit"].colour, linestyle=":", label=name)
        ax.set_ylim(bottom=min(0.0, ax.get_ylim()[0]))
    legend(figure)
    _display(figure)


def _display(figure: Figure) -> None:
    """Show a figure that pyplot knows nothing of: it can't pile up, and needs no backend."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    display(Image(picture.getvalue(), alt=figure.texts[0].get_text()))
