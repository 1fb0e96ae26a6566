"""Saves figures so that equal figures make equal files."""

import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from workbook.plots.canvas import painted
from workbook.plots.style import COLOURS

Pixels = npt.NDArray[np.uint8]

# matplotlib writes SVG coordinates to a millionth of a point; a tenth is as fine as the screen, halves
# the file, and hides what differs in the last digits between machines.
LONG_FRACTION: Final = re.compile(r"(\d\.\d)\d+")
COMPRESSION: Final = 6  # zlib's 8 takes three to four times the time, for a tenth less
MOST_FREQUENT: Final = 112  # colours of a picture, beside the house's own: shades of blurred edges are the rest


def figure_of(drawn: Figure | Axes | Iterable[Axes] | Any) -> Figure:
    """The figure of what a plot function returned: a Figure, axes of it, or one of seaborn's grids.

    Raises TypeError for anything else.
    """
    if isinstance(drawn, Figure):
        return drawn
    if isinstance(figure := getattr(drawn, "figure", None), Figure):  # Axes, FacetGrid, JointGrid, ...
        return figure
    if isinstance(drawn, Iterable) and not isinstance(drawn, str) and (axes := next(iter(drawn), None)) is not None:
        return figure_of(axes)
    raise TypeError(f"{type(drawn).__name__} is no figure; give a Figure, its axes or a grid of seaborn's")


def save(figure: Figure, stem: Path) -> None:
    """Write `stem`.png and `stem`.svg."""
    save_png(figure, stem.with_suffix(".png"))
    save_svg(figure, stem.with_suffix(".svg"))


def save_png(figure: Figure, path: Path) -> bytes:
    """Write a PNG with a palette of its own, in which every colour of the house is what it was; return its bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    png = png_of(figure)
    path.write_bytes(png)
    return png


def png_of(figure: Figure) -> bytes:
    """The bytes of that PNG."""
    picture = io.BytesIO()
    _indexed(painted(figure)).save(picture, "PNG", compress_level=COMPRESSION)
    return picture.getvalue()


def save_svg(figure: Figure, path: Path) -> None:
    """Write an SVG without a date and with short numbers."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    path.write_text(LONG_FRACTION.sub(r"\1", text.getvalue()), "utf-8")


def _indexed(rgba: Pixels) -> Image.Image:
    """The picture with a palette: the house's colours in it and its most frequent ones; others go to the nearest.

    Pillow's quantizers average similar colours, so that a thin red line comes out in another red, or in purple.
    """
    place, packed = pd.factorize(rgba.view(">u4").ravel().astype(np.uint32))  # hashing: np.unique sorts all pixels
    order = np.argsort(packed)  # so that of colours as frequent as each other always the same are kept
    colours, count = packed[order] >> 8, np.bincount(place)[order]
    frequent = np.argsort(-count, kind="stable")[:MOST_FREQUENT]
    kept = np.union1d(frequent, np.flatnonzero(np.isin(colours, HOUSE)))
    channels = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.float32)
    nearest = np.empty(order.size, np.uint8)
    # Of (a - b)^2 what differs from b to b; whole numbers below 2^24, which 32 bits hold exactly.
    nearest[order] = ((channels[kept] ** 2).sum(axis=1) - 2 * channels @ channels[kept].T).argmin(axis=1)
    picture = Image.fromarray(nearest[place].reshape(rgba.shape[:2]))
    picture.putpalette(channels[kept].astype(np.uint8).tobytes())
    return picture


def _packed(colour: str) -> int:
    """As Agg draws it: 24 bits."""
    red, green, blue = (round(255 * part) for part in to_rgb(colour))
    return red << 16 | green << 8 | blue


HOUSE: Final = np.array([_packed(colour) for colour in COLOURS], np.uint32)
