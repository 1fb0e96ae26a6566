"""Utilisation against the size of the buffer, drawn: as the report has it, why it falls, and what would stop it."""

from typing import Any, Final

import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from workbook.chapters.competing_tahoe.looks import CALLED, READINGS, SENDERS, with_words
from workbook.plots import style
from workbook.plots.frame import framed, legend, stack, tag

CHANGED: Final = {
    "as_it_is": ("as it is", style.Look("#111111", "o")),
    "without_eighth": ("without MSS/8", style.Look("#b3480a", "^")),
    "go_back_n": ("with go-back-N", style.Look("#2f93d6", "s")),
    "both": ("both changes", style.Look("#1b7f3b", "D")),
    "holes_skipped": ("reading the ACKs behind a hole", style.Look("#d0021b", "x", ":")),
}
BUFFER: Final = "buffer in segments"


def buffers_figure(two: xr.DataArray, single: xr.Dataset, title: str) -> Figure:
    """The report's last figure: both senders in both readings, over the seeds, and one sender alone."""
    about = f"{title}; mean, and least to greatest of {two.sizes['seed']} runs; dotted: one sender alone"
    figure = framed("The larger the buffer, the less of it is used", about)
    [panels] = stack(figure, 1, 2, BUFFER, "utilisation in %")
    for reading, ax in zip(two["reading"].values, panels, strict=True):
        tag(ax, CALLED[str(reading)], READINGS[str(reading)].colour)
        for sender, look in zip((1, 2), SENDERS, strict=True):
            _band(ax, two.sel(reading=reading, sender=sender), look, f"sender {sender}")
        alone = single["utilisation_percent"].sel(change="as_it_is")
        ax.plot(alone["buffer"], alone, color="black", linestyle=":", marker=".", label="one sender alone")
        ax.set_ylim(0, 40)
    legend(figure)
    return with_words(
        figure, "The report's last figure: both senders in both readings, over the seeds, and one sender alone."
    )


def _band(ax: Axes, percent: xr.DataArray, look: style.Look, label: str) -> None:
    buffers = percent["buffer"].values
    ax.fill_between(
        buffers, percent.min("seed"), percent.max("seed"), color=look.colour, alpha=0.25, linewidth=0,
    )  # fmt: skip
    ax.plot(buffers, percent.mean("seed"), color=look.colour, marker=look.marker, linestyle=look.linestyle, label=label)


def denominator_figure(single: xr.Dataset, mismatches: dict[int, int]) -> Figure:
    """What is divided by what: bytes and potential, the utilisation by either denominator, and the mismatch."""
    figure = framed(
        "The potential grows with the buffer, and no link is ever in it",
        "One sender alone, mismatch 20, 1000 rounds; right: buffer of 7, and any mismatch",
    )
    [panels] = stack(figure, 1, 3, "", "")
    as_it_is = single.sel(change="as_it_is")
    largest = as_it_is["capacity_segments"].max()
    _draw(panels[0], as_it_is["capacity_segments"], "potential: buffer + 1", "#8a8a8a", ":")
    _draw(panels[0], as_it_is["segments_per_round"], "carried: all but flat", "#111111")
    _draw(panels[1], as_it_is["utilisation_percent"], "of a potential that grows", "#2f93d6")
    fixed = 100 * as_it_is["segments_per_round"] / largest
    _draw(panels[1], fixed, f"of a fixed potential of {float(largest):.0f} segments", "#1b7f3b", "--")
    carried = [count / 1024 / 1000 for count in mismatches.values()]
    panels[2].plot(list(mismatches), carried, color="#111111", marker="o", markersize=4)
    for ax, words in zip(panels, ("segments per round", "utilisation in %", "carried, at any mismatch"), strict=True):
        tag(ax, words, style.QUIET)
        ax.set_ylim(bottom=0)
    panels[2].set_ylim(0, 3)
    for ax, x in zip(panels, (BUFFER, BUFFER, "mismatch"), strict=True):
        ax.set_xlabel(x)
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    legend(figure)
    return with_words(
        figure, "What is divided by what: bytes and potential, the utilisation by either denominator, and the mismatch."
    )


def _draw(ax: Axes, values: xr.DataArray, label: str, colour: str, linestyle: str = "-") -> None:
    ax.plot(values["buffer"], values, color=colour, linestyle=linestyle, marker=".", label=label)


def cycles_figure(single: xr.Dataset) -> Figure:
    """One steady cycle at each buffer: rounds that carry new segments, and rounds that repair."""
    figure = framed(
        "Four rounds for every lost segment, and more of them the larger the window",
        "One sender alone, one steady cycle at each buffer; above the bars: segments lost in the cycle",
    )
    [panels] = stack(figure, 1, 2, BUFFER, "round trips of one cycle")
    for change, ax in zip(("as_it_is", "without_eighth"), panels, strict=True):
        cycles = single.sel(change=change)
        tag(ax, CHANGED[change][0], style.QUIET)
        busy = cycles["cycle_rounds"] - cycles["stalled_rounds"]
        bars: dict[str, Any] = {"width": 0.8, "linewidth": 0}
        ax.bar(cycles["buffer"], busy, color="#2f93d6", label="rounds with new segments", **bars)
        ax.bar(cycles["buffer"], cycles["stalled_rounds"], bottom=busy, color="#d0021b", alpha=0.75,
               label="rounds with a retransmission or a single byte", **bars)  # fmt: skip
        for size in cycles["buffer"].values:
            height, lost = (float(cycles[name].sel(buffer=size)) for name in ("cycle_rounds", "repairs"))
            ax.text(size, height + 0.4, f"{lost:.0f}", ha="center", fontsize=8.5)
        ax.set_ylim(0, 37)
    legend(figure)
    return with_words(
        figure, "One steady cycle at each buffer: rounds that carry new segments, and rounds that repair."
    )


def counterfactuals_figure(single: xr.Dataset) -> Figure:
    """Utilisation and segments a round under changed rules."""
    figure = framed(
        "Change either rule, and the fall is gone",
        "One sender alone, mismatch 20, 1000 rounds: left as a percentage of (buffer + 1) segments a round",
    )
    [panels] = stack(figure, 1, 2, BUFFER, "")
    for name, ax, words in zip(
        ("utilisation_percent", "segments_per_round"), panels, ("utilisation in %", "segments per round"), strict=True
    ):
        tag(ax, words, style.QUIET)
        for change, (label, look) in CHANGED.items():
            values = single[name].sel(change=change)
            ax.plot(values["buffer"], values, color=look.colour, marker=look.marker, linestyle=look.linestyle,
                    markersize=4, label=label)  # fmt: skip
        ax.set_ylim(bottom=0)
    legend(figure)
    return with_words(figure, "Utilisation and segments a round under changed rules.")
