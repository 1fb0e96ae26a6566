"""The frame around every figure: size, margins, title, legend, and rows of panels on a shared time axis."""

from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook.plots import style

# Fractions of the figure. Fixed margins, because measuring every label (tight or constrained
# layout) takes as long as drawing.
LEFT, RIGHT, BOTTOM, TOP, GAP = 0.082, 0.985, 0.1, 0.785, 0.22
TITLE_Y, SUBTITLE_Y, LEGEND_Y = 0.962, 0.916, 0.871


def framed(title: str, subtitle: str, figure: Figure | None = None) -> Figure:
    """An empty figure, or the given one, with its title, and in a second line what was simulated."""
    style.use()
    figure = figure or Figure(figsize=(style.WIDTH_PX / style.DPI, style.HEIGHT_PX / style.DPI))
    figure.text(0.012, TITLE_Y, title, fontsize=13, fontweight="bold", va="center")
    figure.text(0.012, SUBTITLE_Y, subtitle, color=style.QUIET, va="center")
    return figure


def stack(figure: Figure, rows: int, columns: int, xlabel: str, ylabel: str) -> list[list[Axes]]:
    """Rows of panels; the panels of a column share the x axis."""
    grid = figure.add_gridspec(
        rows, columns, left=LEFT, right=RIGHT, bottom=BOTTOM, top=TOP, hspace=GAP, wspace=GAP / 2
    )
    panels: list[list[Axes]] = []
    for row in range(rows):
        above = panels[0] if row else [None] * columns
        panels.append([figure.add_subplot(grid[row, i], sharex=above[i]) for i in range(columns)])
        for ax in panels[row]:
            ax.tick_params(labelbottom=row == rows - 1, length=2)
    figure.text((LEFT + RIGHT) / 2, 0.022, xlabel, ha="center", va="center", color="#333333")
    figure.text(0.016, (BOTTOM + TOP) / 2, ylabel, rotation=90, ha="center", va="center", color="#333333")
    return panels


def share_y(panels: Sequence[Axes]) -> None:
    """Give panels the same y limits, wide enough for all."""
    low, high = zip(*(panel.get_ylim() for panel in panels), strict=True)
    for panel in panels:
        panel.set_ylim(min(low), max(high))


def legend(figure: Figure, lines: int = 1) -> None:
    """One legend for all panels, in so many lines of its own above them, so that it hides no data."""
    handles: dict[str, Artist] = {}
    for ax in figure.axes:
        artists, labels = ax.get_legend_handles_labels()
        handles |= {label: handle for label, handle in zip(labels, artists, strict=True) if label not in handles}
    if not handles:
        return
    drawn = figure.legend(
        list(handles.values()), list(handles), loc="center left", bbox_to_anchor=(LEFT - 0.012, LEGEND_Y),
        ncols=-(-len(handles) // lines), borderaxespad=0, handlelength=2.0, columnspacing=1.5, handletextpad=0.6,
    )  # fmt: skip
    for line in drawn.get_lines():
        line.set_markersize(6)


def tag(ax: Axes, text: str, colour: str) -> None:
    """Name a panel, above its left end."""
    ax.set_title(text, loc="left", color=colour, fontweight="bold")


def note(ax: Axes, text: str) -> None:
    """Add a number that the panel shows to the line above its right end."""
    before = ax.get_title(loc="right")
    ax.set_title(f"{before} · {text}" if before else text, loc="right", color=style.QUIET, fontsize=8.5)
