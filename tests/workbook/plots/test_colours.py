"""Colours: each survives saving, and flows and marks stay apart for the colour-blind."""

from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from workbook.chapters.competing_tahoe import looks as competing_tahoe
from workbook.chapters.large_fat import looks as large_fat
from workbook.plots import style
from workbook.plots.save import save_png

Vector = npt.NDArray[np.float64]

# Machado, Oliveira, Fernandes: A physiologically-based model for simulation of color vision deficiency (2009), table 1:
# deuteranopia, severity 1.0, on linear RGB.
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
APART = 20.0  # in CIELAB; about 2 is just noticeable side by side, thin lines and small marks need ten times as much
TOGETHER = {  # what can be in one figure, and is told apart by colour: flows, and what happens to them
    **{f"{kind} {i}": look.colour for kind, looks in style.FLOWS.items() for i, look in enumerate(looks, start=1)},
    **{
        name: style.MARKS[name].colour
        for name in ("drop", "retransmission", "fast_retransmit", "timeout", "congestion_echo", "ack")
    },
}
# Chapter 7's own. Lines of formulas and stars of the slides are both dark: form tells them apart.
LARGE_FAT = {
    name: getattr(large_fat, name).colour
    for name in ("FORMULA", "BURST", "PER_PACKET", "DELAYED", "HIGHSPEED", "HALVED")
}
READINGS = {name: look.colour for name, look in competing_tahoe.READINGS.items()}
PAIRS = [(each[one], each[other]) for each in (TOGETHER, LARGE_FAT, READINGS) for one, other in combinations(each, 2)]


def linear(colour: str) -> Vector:
    """sRGB's light."""
    parts = np.array(to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: Vector) -> Vector:
    """CIELAB under D65."""
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    )
    x = to_xyz @ light / np.array([0.95047, 1.0, 1.08883])
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_stands_in_one_figure_stays_apart_with_and_without_green_cones(one: str, other: str) -> None:
    for seen in (np.eye(3), DEUTERANOPIA):
        first, second = (lab(np.clip(seen @ linear(colour), 0, 1)) for colour in (one, other))
        assert np.linalg.norm(first - second) > APART


def test_every_colour_of_the_house_survives_saving_among_a_thousand_others(tmp_path: Path) -> None:
    figure = Figure(figsize=(6, 4), dpi=100)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.imshow(np.random.default_rng(1).random((40, 60, 3)), extent=(0, 10, 0, 10), aspect="auto")
    for place, colour in enumerate(style.COLOURS):  # each a thin line's width
        ax.axhspan(place / 2, place / 2 + 0.05, color=colour, linewidth=0)
    save_png(figure, tmp_path / "many.png")
    with Image.open(tmp_path / "many.png") as saved:
        there = {
            tuple(colour) for colour in np.unique(np.asarray(saved.convert("RGB")).reshape(-1, 3), axis=0).tolist()
        }
    assert [
        colour for colour in style.COLOURS if tuple(round(255 * part) for part in to_rgb(colour)) not in there
    ] == []
