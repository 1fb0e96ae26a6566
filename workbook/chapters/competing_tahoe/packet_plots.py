"""Rounds and packets side by side."""

from collections.abc import Mapping

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook.chapters.competing_tahoe.looks import SENDERS, with_words
from workbook.chapters.competing_tahoe.track import Array
from workbook.plots import style
from workbook.plots.frame import framed, legend, share_y, stack, tag

MODELS = {"rounds": ("#7a1fa2", "in rounds"), "packets": ("#b3480a", "in packets")}


def side_by_side_figure(rounds: Array, packets: Array, shown: int) -> Figure:
    """The congestion windows of both senders, in segments: a row a sender, the rounds left, the packets right."""
    figure = framed(
        "The same two senders, in rounds and in packets",
        "Congestion windows of one run, left in the literal reading; a round trip in packets is that of the empty path",
    )
    rows = stack(figure, 2, 2, "round trips", "cwnd in segments")
    for sender, row in enumerate(rows):
        for ax, values, (_, model) in zip(row, (rounds, packets), MODELS.values(), strict=True):
            ax.plot(values[sender], color=SENDERS[sender].colour, drawstyle="steps-post", linewidth=0.9)
            ax.set_xlim(0, shown)
            tag(ax, f"sender {sender + 1}, {model}", SENDERS[sender].colour)
    share_y([ax for row in rows for ax in row])
    return with_words(
        figure,
        "The congestion windows of both senders, in segments: a row a sender, the rounds left, the packets right.",
    )


def buffers_figure(rounds: xr.DataArray, packets: Mapping[int, float]) -> Figure:
    """Utilisation against the size of the buffer, in both models."""
    figure = framed(
        "In packets a larger buffer helps",
        "One sender alone; rounds: of (buffer + 1) segments a round; packets: of what the link can carry",
    )
    [[ax]] = stack(figure, 1, 1, "buffer in segments", "utilisation in %")
    _line(ax, rounds["buffer"].values, rounds.values, "rounds")
    _line(ax, np.array(list(packets)), np.array(list(packets.values())), "packets")
    ax.set_ylim(0, 100)
    legend(figure)
    return with_words(figure, "Utilisation against the size of the buffer, in both models.")


def _line(ax: Axes, x: Array, y: Array, model: str) -> None:
    colour, label = MODELS[model]
    ax.plot(x, y, color=colour, marker="o", label=label)


def kept_figure(compared: Mapping[str, Mapping[str, float]], kept_within: float) -> Figure:
    """Each property in packets, as a multiple of what it is in rounds."""
    figure = framed(
        "What the abstraction keeps, and what it loses",
        f"Each property of the packet model as a multiple of the rounds'; grey: within a factor {kept_within:g}, kept",
    )
    [[ax]] = stack(figure, 1, 1, "", "")
    ax.set_position((0.36, 0.1, 0.6, 0.77))
    ax.set_xlabel("in packets, as a multiple of what it is in rounds")
    ax.axvspan(1 / kept_within, kept_within, color=style.PALE, linewidth=0)
    ax.axvline(1, color="#8a8a8a", linewidth=0.8)
    for place, measured in enumerate(compared.values()):
        ratio = measured["packets"] / measured["rounds"]
        kept = 1 / kept_within < ratio < kept_within
        ax.plot(ratio, place, marker="o", markersize=8, color="#1b7f3b" if kept else "#d0021b")
        ax.text(ratio * 1.06, place, f"{measured['rounds']:.3g} → {measured['packets']:.3g}", va="center", fontsize=8.5)
    ax.set_xscale("log")
    ax.set_xticks([0.25, 0.5, 1, 2, 4], ["¼", "½", "1", "2", "4"])
    ax.minorticks_off()
    ax.set_xlim(0.18, 6)
    ax.set_yticks(range(len(compared)), list(compared))
    ax.set_ylim(len(compared) - 0.5, -0.5)
    return with_words(figure, "Each property in packets, as a multiple of what it is in rounds.")
