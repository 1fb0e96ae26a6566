"""The sliders and choices beside the charts. They show a setting, and ask for another one when they are moved."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, Final

import ipywidgets as w

from simcore.rules.queues.registry import DISCIPLINES
from workbook.explore import kinds
from workbook.explore import setting as st
from workbook.explore.controls import ALL_SLIDERS, KIND, write_of
from workbook.explore.further import CHOICES, ORDER, SWITCHES
from workbook.explore.setting import SLIDERS, Setting, Slider

OWN: Final = "(my own)"
ASK: Final = "Ask the kernel"
ASK_HINT: Final = "runs this setting on the TCP of this machine's Linux kernel, in real time"
STOP: Final = "Stop asking"
MOST_FLOWS: Final = 6  # that have a row of their own
STYLE: Final = {"description_width": "132px"}
WIDE: Final = {"width": "335px", "max_width": "calc(100% - 4px)"}  # with its margins; a phone is narrower

Change = Callable[[Setting], Setting]


class Panel:
    """The controls. `ask` is called with a change of the setting."""

    def __init__(self, titles: Iterable[str], ask: Callable[[Change], None]) -> None:
        self._ask = ask
        self._showing = False
        self.start = _choice("Start from", [OWN, *titles])
        self.sliders = {name: _slider(slider) for name, slider in ALL_SLIDERS.items()}
        self.switches = {name: _switch(switch.label) for name, switch in SWITCHES.items()}
        self.choices = {
            name: _choice(choice.label, [(text, value) for value, text in choice.texts.items()])
            for name, choice in CHOICES.items()
        }
        self.queue = _choice("Queue", [(DISCIPLINES[name].name, name) for name in st.QUEUE_NAMES])
        self.profile = _choice("Profile", st.PROFILE_NAMES)
        self.count = w.IntSlider(1, 1, MOST_FLOWS, description="Flows", style=STYLE, layout=WIDE)
        self.rows = [_choice(f"Flow {place}", ()) for place in range(1, MOST_FLOWS + 1)]
        self.keep = w.ToggleButton(False, description="Keep this and compare", icon="columns", layout={"width": "auto"})
        self.whole = w.Button(description="Whole run", tooltip="after zooming in", layout={"width": "auto"})
        self.play = w.Button(description="Play the packets", icon="play", layout={"width": "auto"})
        self.ask = w.Button(description=ASK, icon="linux", tooltip=ASK_HINT, layout={"width": "auto"})
        self.asked = w.FloatProgress(0.0, min=0.0, max=1.0, description="Real time", style=STYLE, layout=WIDE)
        self.kernel = w.VBox([_heading("The kernel of this machine"), self.ask, self.asked], layout={"display": "none"})
        self.load = w.FileUpload(
            description="Load YAML", accept=".yaml,.yml,.json", multiple=False, layout={"flex": "0 0 auto"}
        )
        self.save = w.HTML()
        self._listen()

    def _listen(self) -> None:
        rows = {f"{KIND}{number}": row for number, row in enumerate(self.rows, start=1)}
        single = {"queue": self.queue, "profile": self.profile}
        for name, widget in (self.sliders | self.switches | self.choices | single | rows).items():
            self._on_value(widget, write_of(name))
        self._on_value(self.count, _with_count)

    def _on_value(self, widget: w.Widget, write: Callable[[Setting, Any], Setting]) -> None:
        def moved(change: Any) -> None:
            old, new = _tidy(change["old"]), _tidy(change["new"])
            if not self._showing and new != old:
                self._ask(lambda setting: write(setting, new))

        widget.observe(moved, "value")

    def show(self, setting: Setting) -> None:
        """Let all controls show a setting."""
        self._showing = True
        try:
            for name, widget in self.sliders.items():
                _show_number(widget, ALL_SLIDERS[name].read(setting))
            for name, box in self.switches.items():
                box.value = SWITCHES[name].read(setting)
            for name, choice in self.choices.items():
                choice.value = CHOICES[name].read(setting)
            self.queue.value = st.queue_of(setting)
            self.profile.value = setting["profile"]
            self._show_kinds(st.kinds(setting))
        finally:
            self._showing = False

    def _show_kinds(self, shown: Sequence[str]) -> None:
        _show_number(self.count, len(shown))
        for place, row in enumerate(self.rows):
            row.layout.display = None if place < len(shown) else "none"
            if place < len(shown):
                names = dict.fromkeys([*kinds.offered(), shown[place]])
                row.options = [(kinds.spoken(name), name) for name in names]
                row.value = shown[place]

    def show_asking(self, end_s: float | None) -> None:
        """Show that the kernel is asked, for a run of so many seconds; or not, if None."""
        self.ask.description = ASK if end_s is None else STOP
        self.asked.layout.display = "none" if end_s is None else None
        self.asked.max, self.asked.value = end_s or 1.0, 0.0

    def offer(self, name: str, text: str) -> None:
        """Let the setting be saved as a file."""
        data = b64encode(text.encode()).decode()
        look = "jupyter-button widget-button"
        self.save.value = (
            f'<a class="{look}" download="{escape(name)}.yaml" href="data:text/yaml;base64,{data}">Save as YAML</a>'
        )

    def box(self) -> w.VBox:
        """All controls, from top to bottom."""
        numbers = {name: self.sliders[name] for name in SLIDERS}
        link = [numbers.pop(name) for name in ("rate_mbps", "delay_ms", "buffer_packets")]
        box = w.VBox(
            [
                self.start,
                _heading("The link"), *link, self.queue,
                _heading("The flows"), self.count, *self.rows, *numbers.values(), self.profile, self._further(),
                _heading("Looking closer"), w.HBox([self.play, self.whole]),
                _heading("Two settings"), w.HBox([self.keep]),
                self.kernel,
                _heading("A file"), w.HBox([self.load, self.save], layout={"flex_flow": "row wrap"}),
            ],
            layout={"width": "350px", "max_width": "100%", "flex": "0 0 auto"},
        )  # fmt: skip
        return box.add_class("bn-panel")  # for the looks on a phone

    def _further(self) -> w.Accordion:
        """The second level, folded away."""
        controls = self.sliders | self.switches | self.choices
        return w.Accordion(
            [w.VBox([controls[name] for name in ORDER])], titles=["More"], selected_index=None, layout=WIDE
        )


def _slider(slider: Slider) -> w.Widget:
    kind = w.IntSlider if slider.whole else w.FloatSlider
    readout = "d" if slider.whole else ".2f"
    return kind(
        value=slider.low, min=slider.low, max=slider.high, step=slider.step, readout_format=readout,
        description=f"{slider.label}, {slider.unit}", style=STYLE, layout=WIDE,
    )  # fmt: skip


def _switch(label: str) -> w.Checkbox:
    return w.Checkbox(False, description=label, indent=False, layout=WIDE)


def _choice(label: str, options: Sequence[str] | Sequence[tuple[str, str]]) -> w.Dropdown:
    return w.Dropdown(options=options, description=label, style=STYLE, layout=WIDE)


def _heading(text: str) -> w.HTML:
    return w.HTML(f"<b>{text}</b>", layout={"margin": "6px 0 0"})


def _show_number(widget: w.Widget, value: float | None) -> None:
    """Hide a slider that has nothing to show; make room for a value beyond its ends."""
    widget.layout.display = "none" if value is None else None
    if value is not None:
        widget.max = max(widget.max, value)
        widget.min = min(widget.min, value)
        widget.value = value


def _tidy(value: Any) -> Any:
    """A slider's number without the dust of its steps: a browser may answer 2.0000000000000004 to 2."""
    return round(value, 6) if isinstance(value, float) else value


def _with_count(setting: Setting, count: int) -> Setting:
    now = st.kinds(setting)
    return st.with_kinds(setting, (now + now[-1:] * count)[:count])
