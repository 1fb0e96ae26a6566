"""The same configurations under several TCPs, side by side."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import seaborn as sns

from workbook.plots import style
from workbook.plots.describe import describe

SHADES = ("#0b4a8f", "#e07b00", "#8a8a8a")  # the study's own first
MARKERS = ("o", "D", "s")
TITLE = "Then and now: what each flow gets under other TCPs"


def then_and_now(throughput: pd.DataFrame, titles: Mapping[str, str], marked: str = "baseline") -> Any:
    """What each flow gets in every case, a panel for each flow, a point for each TCP: seaborn's `catplot`.

    `throughput` is the tidy frame of `throughput_kbps` by era, case and flow; the case `marked` is shaded, with the
    change from the first era to the others in words.
    """
    style.use()
    eras = list(throughput["era"].unique())
    table = throughput.assign(case=throughput["case"].map(titles))
    grid = sns.catplot(
        table, x="throughput_kbps", y="case", hue="era", col="flow", kind="point", linestyle="none", dodge=0.35,
        errorbar=None, markersize=6, markers=list(MARKERS[: len(eras)]), palette=list(SHADES[: len(eras)]),
        height=4.6, aspect=0.9,
    )  # fmt: skip
    for flow, ax in grid.axes_dict.items():
        place = list(titles).index(marked)
        ax.axhspan(place - 0.45, place + 0.45, color=style.PALE, zorder=0)
        ax.set(xlabel="throughput in kb/s", ylabel="", title="", xlim=(0, None))
        ax.set_title(f"{flow}: {_changes(throughput, flow, marked)}", loc="left", fontweight="bold")
        ax.grid(visible=True, axis="both")
    sns.move_legend(grid, "upper right", bbox_to_anchor=(0.99, 1.0), ncols=len(eras), title="")
    grid.figure.suptitle(TITLE, x=0.012, ha="left", fontsize=13, fontweight="bold")
    grid.figure.set_size_inches(style.WIDTH_PX / style.DPI, 5.2)
    grid.figure.subplots_adjust(left=0.17, right=0.985, top=0.84, bottom=0.1, wspace=0.08)
    words = "; ".join(f"{flow}, {titles[marked]}: {_changes(throughput, flow, marked)}" for flow in grid.axes_dict)
    caption = "Throughput of each flow in every configuration; the shaded row is the one that the text speaks of."
    return describe(grid, caption, f"{TITLE}. Points for {', '.join(eras)} in every configuration. {words}.", TITLE)


def _changes(throughput: pd.DataFrame, flow: str, case: str) -> str:
    """How the later eras differ from the first in one case: "corrected -41 %, ns-2.35 -3 %"."""
    by_era = throughput[(throughput["flow"] == flow) & (throughput["case"] == case)].set_index("era")["throughput_kbps"]
    return ", ".join(f"{era} {100 * (by_era[era] / by_era.iloc[0] - 1):+.0f} %" for era in by_era.index[1:])
