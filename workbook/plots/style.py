"""How everything looks: the seaborn theme of the house, and the one table of colours, markers and lines."""

from dataclasses import dataclass
from typing import Final

from simcore.results.tree import Run, dataset_of


@dataclass(frozen=True)
class Look:
    """How a flow, or something that happens to it, appears in every figure."""

    colour: str
    marker: str
    linestyle: str | tuple[int, tuple[int, ...]] = "-"


# One hue per kind of flow; within a kind, the flows differ in lightness, line and marker, so that
# they stay apart when printed in grey. A third flow of a kind starts over. A test says that flows and
# marks also stay apart for people who see no difference between red and green.
FLOWS: Final = {
    "tcp": (Look("#0b4a8f", "o"), Look("#3fa0e0", "s", "--")),
    "udp": (Look("#d66b00", "^", "-."), Look("#f2b45c", "v", ":")),
}
MARKS: Final = {
    "drop": Look("#c00018", "x"),
    "retransmission": Look("#111111", "o"),
    "fast_retransmit": Look("#c837a5", "v"),
    "timeout": Look("#6b1010", "X"),
    "congestion_echo": Look("#1b7f3b", "^"),
    "ssthresh": Look("#6b6b6b", "", (0, (4, 2))),
    "ack": Look("#6fae4f", ""),
    "total": Look("#333333", "D"),
    "limit": Look("#8a8a8a", "", ":"),
}
PALE: Final = "#e9eef5"  # a background that explains: slow start, a zoomed region
QUIET: Final = "#5c5c5c"  # text beside the point

COLOURS: Final = (
    *dict.fromkeys(look.colour for looks in FLOWS.values() for look in looks),
    *dict.fromkeys(look.colour for look in MARKS.values()),
    PALE,
    QUIET,
)
"""Every colour that has a meaning: saving keeps them exactly (`workbook.plots.save`)."""

WIDTH_PX, HEIGHT_PX, DPI = 900, 500, 100
RC: Final[dict[str, object]] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#b0b0b0",
    "axes.labelcolor": "#333333",
    "axes.linewidth": 0.8,
    "axes.titlesize": 9.5,
    "axes.titley": 1.02,  # measured from the labels otherwise, at every drawing
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": DPI,
    "figure.figsize": (WIDTH_PX / DPI, HEIGHT_PX / DPI),
    "font.size": 9.5,
    "axes.labelsize": 9.5,
    "grid.color": "#ececec",
    "grid.linewidth": 0.8,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "lines.linewidth": 1.1,
    "path.simplify_threshold": 0.3,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "bottleneck workbook",  # otherwise every file has new random ids
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
}


def use() -> None:
    """Make all figures drawn from now on, seaborn's and our own, look like this file says."""
    import seaborn as sns  # here: it takes a second, which the explorer and the labs' checks do without

    # DejaVu Sans comes with matplotlib, so every machine draws the same.
    sns.set_theme("paper", "whitegrid", list(COLOURS[: sum(map(len, FLOWS.values()))]), "DejaVu Sans", rc=RC)


def look(run: Run, flow: int) -> Look:
    """The look of one flow: that of its kind, and of its place among the flows of that kind."""
    ds = dataset_of(run)
    kinds = [str(kind) for kind in ds["flow_kind"].values]
    place = list(ds["flow"].values).index(flow)
    looks = FLOWS[kinds[place]]
    return looks[kinds[:place].count(kinds[place]) % len(looks)]


def name(run: Run, flow: int) -> str:
    """What readers call the flow: "TCP Reno 1"."""
    return str(dataset_of(run)["flow_name"].sel(flow=flow).item())


def palette(run: Run) -> dict[str, str]:
    """The colour of each flow by its name: what seaborn takes as `palette` for `hue="flow"`."""
    ds = dataset_of(run)
    return {name(ds, int(flow)): look(ds, int(flow)).colour for flow in ds["flow"].values}
