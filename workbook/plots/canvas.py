"""A canvas that paints the same pixels on every processor.

numpy has other instructions for exp, log and sums where a processor has AVX2 or AVX-512, and the last bits of a curve
differ. Half a pixel further that is nothing, but where a line lies on the edge between two pixels, as those of axes and
of regressions without a residual do, a bit decides which of the two is painted. Here every coordinate is put on a grid
of a millionth of a pixel before it is painted. Edges and middles of pixels lie on that grid, and so does what is meant
to lie there.
"""

from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.colorizer import ColorizingArtist
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform, Transform

Numbers = npt.NDArray[np.float64]

PARTS: Final = 2.0**20  # of a pixel; Agg itself has 256
BITS: Final = 2.0**30  # of a value that becomes a colour: nine digits
UNCHANGED: Final = IdentityTransform()


class GridRenderer(RendererAgg):
    """Agg's renderer, with all coordinates on the grid.

    matplotlib calls the methods of Agg that have no names in Python by attributes, which are bound anew in
    `_update_methods`.
    """

    def _update_methods(self) -> None:
        super()._update_methods()  # type: ignore[no-untyped-call]
        bound: dict[str, Any] = vars(self)
        bound["draw_markers"] = self.markers
        bound["draw_path_collection"] = self.collection
        bound["draw_quad_mesh"] = self.mesh
        bound["draw_image"] = self.image

    def draw_path(self, gc: Any, path: Path, transform: Transform, *more: Any) -> None:
        """A line, or what it encloses."""
        super().draw_path(gc, placed(path, transform), UNCHANGED, *more)  # type: ignore[no-untyped-call]

    def draw_text(self, gc: Any, x: float, y: float, *more: Any, **others: Any) -> None:
        """A text, whose place is rounded to a pixel."""
        super().draw_text(gc, float(on_grid(x)), float(on_grid(y)), *more, **others)  # type: ignore[no-untyped-call]

    def markers(self, gc: Any, marker: Path, size: Any, path: Path, transform: Transform, *more: Any) -> None:
        """The same marker at every point of a path."""
        self._renderer.draw_markers(gc, marker, size, placed(path, transform), UNCHANGED, *more)

    def collection(self, gc: Any, transform: Transform, paths: Any, sizes: Any, *more: Any, **looks: Any) -> None:
        """Areas in the figure's coordinates; or, where there are sizes, markers about points."""
        offsets, offset_transform, *rest = more
        if not len(sizes):
            paths, transform = [placed(path, transform) for path in paths], UNCHANGED
        offsets = on_grid(offset_transform.transform(offsets)) if len(offsets) else offsets
        self._renderer.draw_path_collection(gc, transform, paths, sizes, offsets, UNCHANGED, *rest, **looks)

    def mesh(self, gc: Any, transform: Transform, width: int, height: int, corners: Numbers, *more: Any) -> None:
        """A heat map."""
        corners = on_grid(transform.transform(corners.reshape(-1, 2))).reshape(corners.shape)
        self._renderer.draw_quad_mesh(gc, UNCHANGED, width, height, corners, *more)

    def image(self, gc: Any, x: float, y: float, pixels: Any) -> None:
        """A picture."""
        self._renderer.draw_image(gc, float(on_grid(x)), float(on_grid(y)), pixels)


class GridCanvas(FigureCanvasAgg):
    """Agg's canvas with that renderer."""

    @cached_property
    def renderer(self) -> GridRenderer:
        """The one that this canvas has: it is painted once."""
        width, height = self.get_width_height(physical=True)
        return GridRenderer(width, height, self.figure.dpi)  # type: ignore[no-untyped-call]

    def get_renderer(self) -> RendererAgg:
        """For layouts, which measure texts."""
        return self.renderer


def painted(figure: Figure) -> npt.NDArray[np.uint8]:
    """The figure's pixels: rows, columns, and red, green, blue and opacity."""
    for artist in figure.findobj(ColorizingArtist):
        if (values := artist.get_array()) is not None and values.dtype.kind == "f":
            artist.set_array(nine_digits(values))
    canvas = GridCanvas(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]


def placed(path: Path, transform: Transform) -> Path:
    """A path in pixels, on the grid."""
    moved = Path(on_grid(transform.transform(path.vertices)), path.codes)
    moved.should_simplify = path.should_simplify
    return moved


def on_grid(pixels: Any) -> Any:
    """The nearest points of the grid."""
    return np.round(np.multiply(pixels, PARTS)) / PARTS


def nine_digits(values: Any) -> Any:
    """Values that become colours without their last bits: by halving alone, so that whole numbers stay."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(mantissa * BITS) / BITS, exponent)
