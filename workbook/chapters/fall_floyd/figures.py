"""The paper's figures: sequence numbers against time, a panel for each variant that lost the same packets."""

from collections.abc import Mapping, Sequence

import xarray as xr
from matplotlib.figure import Figure

from simcore.results.tree import dataset_of
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, stack, tag
from workbook.plots.sequence import sequence_close_up
from workbook.plots.style import QUIET

FROM_S, UNTIL_S = 0.8, 3.2  # the losses, and every repair but those of the latest timers
HIGHEST = 50  # segments: what is sent in this time


def compared(runs: Mapping[str, xr.DataTree], cases: Sequence[str], titles: Mapping[str, str]) -> Figure:
    """The seconds around the losses of several runs, one below the other; the ACKs as a staircase."""
    figure = framed("Sequence numbers: what was sent, lost and sent again", "The seconds around the losses")
    figure.set_size_inches(9, 1.6 + 1.5 * len(cases))
    for case, [ax] in zip(cases, stack(figure, len(cases), 1, "time in s", "sequence number"), strict=True):
        sequence_close_up(dataset_of(runs[case]), ax, 1)
        ax.set(xlim=(FROM_S, UNTIL_S), ylim=(5, HIGHEST))
        tag(ax, titles[case], QUIET)
    legend(figure)
    caption = "Packets as they come to the bottleneck, drops, what was sent again, and the ACKs that the sender got."
    return describe(figure, caption, f"{len(cases)} panels of sequence numbers against time, one for each variant.")
