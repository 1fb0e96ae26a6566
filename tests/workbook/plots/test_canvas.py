"""A figure has the same bytes whatever the last bits of its numbers are: they are not the same on all processors."""

from collections.abc import Callable

import numpy as np
import pytest
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from workbook.plots import style
from workbook.plots.canvas import nine_digits, on_grid, painted
from workbook.plots.save import png_of

Noise = Callable[[int], np.ndarray]
Draw = Callable[[Axes, Noise], object]


def regression(ax: Axes, noise: Noise) -> None:
    """Points on a line: its interval has no width, and the last bits of both edges decide what is painted."""
    x = np.linspace(1, 9, 9) * noise(9)
    sns.regplot(x=x, y=x * noise(9), ax=ax, seed=1)


def logarithms(ax: Axes, noise: Noise) -> None:
    """Powers of ten, which numpy's logarithm hits or just misses."""
    ax.set(xscale="log", yscale="log")
    x = np.logspace(0, 3, 31) * noise(31)
    ax.plot(x, x, "o-")
    ax.fill_between(x, x / 2, 2 * x)


def heat_map(ax: Axes, noise: Noise) -> None:
    """Values on the edges between two colours."""
    values = np.arange(256.0).reshape(16, 16) / 255
    ax.pcolormesh(values * noise(256).reshape(16, 16), cmap="viridis", vmin=0, vmax=1)


def texts(ax: Axes, noise: Noise) -> None:
    """Words whose places are in the middle of a pixel."""
    ax.set(xlim=(0, 100), ylim=(0, 100))
    for place in (12.5 * noise(8) * np.arange(8)).tolist():
        ax.annotate("here", (place, place))


def drawn(draw: Draw, relative: float) -> Figure:
    """The figure with numbers that differ in their last bits, up or down by chance."""
    style.use()
    chance = np.random.default_rng(1)
    figure = Figure()
    draw(figure.add_subplot(), lambda n: 1 + relative * chance.choice([-1.0, 0.0, 1.0], n))
    return figure


@pytest.mark.parametrize("draw", [regression, logarithms, heat_map, texts])
@pytest.mark.parametrize("relative", [2.3e-16, 1e-15, 1e-14])
def test_the_last_bits_of_numbers_change_no_byte_of_a_figure(draw: Draw, relative: float) -> None:
    assert png_of(drawn(draw, relative)) == png_of(drawn(draw, 0.0))


def test_as_matplotlib_paints_it_they_do() -> None:
    """The case in which the test above must fail."""
    pixels = []
    for relative in (0.0, 1e-15):
        canvas = FigureCanvasAgg(drawn(regression, relative))
        canvas.draw()
        pixels.append(bytes(canvas.buffer_rgba()))
    assert pixels[0] != pixels[1]


def test_what_is_meant_to_differ_differs() -> None:
    assert png_of(drawn(logarithms, 1e-2)) != png_of(drawn(logarithms, 0.0))


def test_the_grid_holds_edges_and_middles_of_pixels() -> None:
    assert on_grid([3.0, 3.5, 3.5 + 1e-12, 3.5 - 1e-12]).tolist() == [3.0, 3.5, 3.5, 3.5]


def test_nine_digits_keep_whole_numbers_and_drop_last_bits() -> None:
    assert nine_digits(np.array([0.0, 3.0, -1e9, 1e-300])).tolist()[:3] == [0.0, 3.0, -1e9]
    assert nine_digits(np.array([0.1 + 0.2])) == nine_digits(np.array([0.3]))
    assert nine_digits(np.array([0.3000001])) != nine_digits(np.array([0.3]))
    assert np.isnan(nine_digits(np.array([np.nan]))).all()


def test_a_picture_has_the_size_of_its_figure() -> None:
    assert painted(Figure(figsize=(3, 2), dpi=100)).shape == (200, 300, 4)
