"""One sheet instead of thirty figures: all configurations beside each other, a measure a row."""

from collections.abc import Mapping

import pandas as pd
import seaborn as sns

from workbook.plots import style
from workbook.plots.describe import describe

TITLE = "All configurations: a column each, a measure a row"
MOST_POINTS = 400  # of a flow in a panel, which is 150 pixels wide


def sheet(measures: Mapping[str, pd.DataFrame], titles: Mapping[str, str], palette: Mapping[str, str]) -> sns.FacetGrid:
    """Small multiples of series over time: seaborn's `relplot` of tidy frames with `case`, `flow` and `time_s`.

    `measures` are frames by the name of the column that holds the series; `titles` chooses the cases and names them.
    Every row has one scale.
    """
    style.use()
    table = pd.concat([_long(name, frame) for name, frame in measures.items()], ignore_index=True)
    table = table[table["case"].isin(list(titles))]
    grid = sns.relplot(
        table, x="time_s", y="value", hue="flow", row="measure", col="case", col_order=list(titles), kind="line",
        palette=dict(palette), estimator=None, sort=False, linewidth=0.8, drawstyle="steps-post",
        height=2.2, aspect=0.9, facet_kws={"sharey": "row", "margin_titles": True},
    )  # fmt: skip
    for (measure, case), ax in grid.axes_dict.items():
        ax.set(
            xlabel="",
            ylabel=measure.replace(" in ", "\nin ") if case == next(iter(titles)) else "",
            title="",
            ylim=(0, None),
        )
    for ax, title in zip(grid.axes[0], titles.values(), strict=True):
        ax.set_title(title, fontweight="bold")
    for text in grid._margin_titles_texts:
        text.set_visible(False)
    grid.figure.suptitle(TITLE, x=0.012, y=0.985, ha="left", fontsize=13, fontweight="bold")
    grid.figure.supxlabel("time in s", fontsize=9.5, color="#333333")
    sns.move_legend(grid, "upper right", bbox_to_anchor=(0.995, 1.0), ncols=4, title="")
    grid.figure.set_size_inches(13.5, 0.9 + 1.75 * len(measures))
    grid.figure.subplots_adjust(left=0.064, right=0.995, top=0.86, bottom=0.1, wspace=0.12, hspace=0.16)
    caption = f"{', '.join(table['measure'].unique())} in every configuration, on one scale a row."
    return describe(grid, caption, f"{TITLE}. {caption} Columns: {', '.join(titles.values())}.", TITLE)


def _long(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its series as `value`, thinned to what a small panel can show."""
    groups = frame.groupby(["case", "flow"], sort=False)
    thin = groups.cumcount() % (groups["time_s"].transform("size") // MOST_POINTS + 1) == 0
    label = frame.attrs.get("label", name)
    return frame[thin].rename(columns={name: "value"})[["case", "flow", "time_s", "value"]].assign(measure=label)
