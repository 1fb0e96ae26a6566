"""Will it fit? A point in the forbidden area that can be moved, and simulated with one click."""

import io
from base64 import b64encode
from typing import Any, NamedTuple

import ipywidgets as widgets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from workbook.chapters.large_fat import looks, memory
from workbook.chapters.large_fat.area_plots import LONGEST_MS, shade
from workbook.chapters.large_fat.lab import HOST_LINKS_MS, Lab, path
from workbook.plots.frame import framed, legend, stack

CASE = "slow-start-into-memory"
RUN_S = 10.0


class Point(NamedTuple):
    """A fast and a slow link, a round-trip time, the memory between the links, and TCP's window."""

    fast_mbps: float
    slow_mbps: float
    rtt_ms: float
    memory_bytes: float
    window: int


class Needed(NamedTuple):
    """What must wait at the bottleneck at the worst, in bytes: of a burst, and of TCP's slow start."""

    burst_bytes: float
    slow_start_bytes: float


def needed(point: Point, packet_bytes: int) -> Needed:
    """The memory that a window needs: while it comes, and what of it is more than the path holds."""
    fast, slow, window = point.fast_mbps, point.slow_mbps, point.window
    if slow >= fast:
        return Needed(0.0, 0.0)  # nothing waits in front of the faster link
    beyond = max(0, window - memory.window_packets(slow, point.rtt_ms / 1e3, packet_bytes))
    burst = max(beyond, memory.burst_peak(window, fast, slow))
    slow_start = max(beyond, memory.slow_start_peak(window, fast, slow))
    return Needed(burst * packet_bytes, slow_start * packet_bytes)


def verdict(point: Point, packet_bytes: int) -> str:
    """Does it fit? In a sentence, with the numbers."""
    burst, slow_start = needed(point, packet_bytes)
    there_is = f"there is {point.memory_bytes / 1e6:.2f}"
    numbers = f"a burst needs {burst / 1e6:.2f} MB, slow start {slow_start / 1e6:.2f}, {there_is}"
    if point.memory_bytes >= burst:
        return f"It fits: {numbers}."
    if point.memory_bytes >= slow_start:
        return f"TCP's slow start fits, a burst at full speed doesn't: {numbers}."
    return f"It doesn't fit: {numbers}."


def simulated(lab: Lab, point: Point) -> str:
    """What one stream gets in the first seconds, and what it loses."""
    changes: dict[str, Any] = path(max(point.rtt_ms, 2 * HOST_LINKS_MS) / 1e3, point.slow_mbps) | {
        "end_s": RUN_S,
        "flows.0.access.rate_mbps": point.fast_mbps,
        "flows.0.exit.rate_mbps": point.fast_mbps,
        "flows.0.window_packets": point.window,
        "bottleneck.buffer_packets": int(point.memory_bytes // lab.settings.packet_bytes) + 1,
    }
    run = lab.counted(CASE, changes)
    return f"Simulated for {RUN_S:g} s: {run.total('dropped')} packets lost, {run.mbps[0]:.1f} Mb/s."


def point_figure(point: Point, packet_bytes: int) -> Figure:
    """The forbidden area of slide 6 for this memory, and the point."""
    figure = framed(
        "Will it fit?",
        f"f = {point.fast_mbps:g} Mb/s, M = {point.memory_bytes / 1e6:g} MByte, window {point.window} packets "
        f"of {packet_bytes} bytes",
    )
    [[ax]] = stack(figure, 1, 1, "RTT in ms", "s in Mb/s")
    shade(ax, point.fast_mbps, point.memory_bytes)
    fits = point.memory_bytes >= needed(point, packet_bytes).slow_start_bytes
    look = looks.HIGHSPEED if fits else looks.SLIDE
    ax.plot(point.rtt_ms, point.slow_mbps, look.marker, color=look.colour, markersize=13, markeredgecolor="white",
            label="this path")  # fmt: skip
    ax.set_xlim(0, LONGEST_MS)
    legend(figure)
    return figure


class Calculator:
    """Sliders, the area with the point in it, a sentence, and a button that simulates."""

    def __init__(self, lab: Lab) -> None:
        self.lab, settings = lab, lab.settings
        look = {"continuous_update": False, "style": {"description_width": "9em"}, "layout": {"width": "32em"}}
        self.fast = widgets.FloatSlider(settings.fast_mbps, min=100, max=10000, step=100, description="f, Mb/s", **look)
        self.slow = widgets.FloatSlider(622.08, min=10, max=2500, step=0.01, description="s, Mb/s", **look)
        self.rtt = widgets.FloatSlider(
            settings.marked_rtt_ms, min=1, max=LONGEST_MS, step=1, description="RTT, ms", **look
        )
        self.memory = widgets.FloatLogSlider(
            settings.memory_bytes / 1e6, base=10, min=-2, max=1.5, description="M, MByte", **look
        )
        self.window = widgets.IntSlider(8190, min=2, max=30000, description="window, packets", **look)
        self.button = widgets.Button(description="Simulate it")
        self.words, self.result, self.picture = widgets.HTML(), widgets.HTML(), widgets.Image(format="png", width=720)
        self.sliders = (self.fast, self.slow, self.rtt, self.memory, self.window)
        for slider in self.sliders:
            slider.observe(self._moved, "value")
        self.button.on_click(self._clicked)
        self._moved(None)
        below = widgets.HBox([self.button, self.result])
        self.panel = widgets.VBox([*self.sliders, self.words, below, self.picture])

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """The panel where there are widgets, and its picture where there are none, as on paper."""
        still = b64encode(bytes(self.picture.value)).decode()
        return {**self.panel._repr_mimebundle_(), "image/png": still, "text/plain": self.words.value}

    @property
    def point(self) -> Point:
        """Where the sliders stand."""
        return Point(self.fast.value, self.slow.value, self.rtt.value, self.memory.value * 1e6, self.window.value)

    def _moved(self, _: object) -> None:
        self.words.value, self.result.value = verdict(self.point, self.lab.settings.packet_bytes), ""
        drawn = io.BytesIO()
        FigureCanvasAgg(point_figure(self.point, self.lab.settings.packet_bytes)).print_png(drawn)
        self.picture.value = drawn.getvalue()

    def _clicked(self, _: object) -> None:
        self.result.value = simulated(self.lab, self.point)
