"""Who gets how much: the distribution over the seeds in every case, and what the report prints."""

from collections.abc import Mapping, Sequence

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from scipy import stats

from workbook.chapters.competing_tahoe.looks import CALLED, READINGS, REPORT
from workbook.plots import style
from workbook.plots.describe import describe
from workbook.plots.frame import framed, legend, stack, tag

SPOKEN = {
    "competing": "two senders",
    "dropped": "connection\ndropped",
    "kept-alive": "kept alive",
    "delayed": "150 rounds\nlate",
    "larger-buffer": "buffer of 9",
    "thousand": "1000 rounds",
}


def finding(table: pd.DataFrame, printed: Mapping[str, Sequence[float]]) -> str:
    """How many of the report's numbers, each by itself, some run of each reading may have been rounded to."""
    numbers = {(story, sender): number for story in SPOKEN for sender, number in enumerate(printed[story], start=1)}
    inside = dict.fromkeys(("literal", "fitted"), 0)
    values = table.set_index(["reading", "story", "sender"])["utilisation_percent"].sort_index()
    for reading in inside:
        for place, number in numbers.items():
            simulated = values.loc[(reading, *place)].to_numpy()
            inside[reading] += bool(round(simulated.min()) <= number <= round(simulated.max()))
    return (
        f"Of the report's {len(numbers)} numbers {inside['literal']} lie in the range of the literal runs, "
        f"{inside['fitted']} in that of the fitted"
    )


def utilisations_figure(table: pd.DataFrame, printed: Mapping[str, Sequence[float]]) -> Figure:
    """For each sender the distribution in every case and reading, and the report's number as a diamond.

    `table` has a row for each run and sender, with story, reading, sender and utilisation_percent.
    """
    shown = table[table["story"].isin(list(SPOKEN))]
    about = f"n = {shown['seed'].nunique()} seeds a shape, with their mean; sender 2 after a delay over its own rounds"
    title = finding(shown, printed)
    figure = framed(title, about)
    rows = stack(figure, 2, 1, "", "utilisation in %")
    palette = {reading: READINGS[reading].colour for reading in ("literal", "fitted")}
    for sender, [ax] in enumerate(rows, start=1):
        tag(ax, f"sender {sender}", style.QUIET)
        both: dict[str, object] = {"data": shown[shown["sender"] == sender], "x": "story", "y": "utilisation_percent",
                                "hue": "reading", "palette": palette, "order": list(SPOKEN), "ax": ax}  # fmt: skip
        sns.violinplot(**both, cut=0, inner=None, alpha=0.45, linewidth=0.6, legend=False)
        sns.pointplot(**both, dodge=0.4, errorbar=None, linestyle="none", markersize=4, markers=["o", "s"])
        ax.legend_ = None  # one for all panels stands above them
        for place, story in enumerate(SPOKEN):
            ax.plot(
                place, printed[story][sender - 1], marker=REPORT.marker, color=REPORT.colour, linestyle="",
                markersize=7, markeredgecolor="white", label="printed in the report",
            )  # fmt: skip
        ax.set(xlabel="", ylabel="", ylim=(5, 38))
        ax.set_xticks(range(len(SPOKEN)), list(SPOKEN.values()))
    legend(figure)
    means = shown.groupby(["story", "reading", "sender"], as_index=False)["utilisation_percent"].mean().round(1)
    words = "; ".join(", ".join(map(str, row)) for row in means.itertuples(index=False))
    named = ", ".join(CALLED[reading] for reading in palette)
    return describe(
        figure,
        f"Utilisations over the seeds: {named}.",
        f"Mean utilisation in percent by story, reading and sender. {words}.",
        title,
    )


def paired(table: pd.DataFrame, story: str, reading: str) -> dict[str, float]:
    """Sender 1 minus sender 2, run by run: n, the mean with Student's 95 % interval, and Wilcoxon's test."""
    runs = table[(table["story"] == story) & (table["reading"] == reading)]
    wide = runs.pivot(index="seed", columns="sender", values="utilisation_percent")
    difference = (wide[1] - wide[2]).to_numpy()
    low, high = stats.t.interval(0.95, len(difference) - 1, difference.mean(), stats.sem(difference))
    test = stats.wilcoxon(difference)
    return {"n": len(difference), "mean": float(difference.mean()), "low": low, "high": high, "p": float(test.pvalue)}
