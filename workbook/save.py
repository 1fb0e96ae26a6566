"""Saves figures so that equal figures make equal files."""

import io
import re
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

# matplotlib writes SVG coordinates to a millionth of a point; a tenth is as fine as the screen, halves
# the file, and hides what differs in the last digits between machines.
LONG_FRACTION = re.compile(r"(\d\.\d)\d+")


def save(figure: Figure, stem: Path) -> None:
    """Write `stem`.png and `stem`.svg."""
    save_png(figure, stem.with_suffix(".png"))
    save_svg(figure, stem.with_suffix(".svg"))


def save_png(figure: Figure, path: Path) -> None:
    """Write a PNG with a palette of its own: a third of the size, and no visible difference."""
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    picture.quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


def save_svg(figure: Figure, path: Path) -> None:
    """Write an SVG without a date and with short numbers."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    path.write_text(LONG_FRACTION.sub(r"\1", text.getvalue()), "utf-8")
