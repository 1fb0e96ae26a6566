"""What the notebook shows: the controls, the charts, and what is done when one of them is touched."""

from pathlib import Path
from threading import RLock, Thread
from typing import Any, Final

import ipywidgets
import pandas as pd
import xarray as xr

from simcore import Scenario, ScenarioError, load_scenario, mapping_of, scenario_from
from workbook.chapters.chapter import Chapter
from workbook.explore.address import is_same, setting_of, values_of
from workbook.explore.animation import animation
from workbook.explore.asking import Answer, Question, beside, is_available
from workbook.explore.catalogue import case_of, catalogue, title_of
from workbook.explore.charts import View
from workbook.explore.engines import Session
from workbook.explore.further import in_step
from workbook.explore.futures import compared, reached, with_fate
from workbook.explore.numbers import numbers
from workbook.explore.panel import OWN, Change, Panel
from workbook.explore.picture import picture_of
from workbook.explore.setting import OWN_NAME, Setting
from workbook.explore.titles import described
from workbook.explore.widget import Charts
from workbook.paths import REPO

PIXELS: Final = 900  # until the browser says how wide the charts are
SHORTEST_VIEW_S: Final = 1e-3
READY: Final = {"text": "Ready: the compiled engine answers.", "state": "ready"}
WAIT: Final = {
    "text": "Getting the fast engine ready for this kind of network; until then the pictures take longer.",
    "state": "wait",
}

COMPUTING: Final = {"text": "Computing ...", "state": "wait"}
OUTDATED: Final = {
    "text": "That was a click on a picture of another setting: nothing was changed. Click again.",
    "state": "wrong",
}


class Explorer:
    """A scenario to play with, beginning with a case of a chapter."""

    def __init__(self, chapter: str, case: str) -> None:
        self.charts = Charts(layout={"flex": "1 1 380px", "min_width": "0"})
        self.session = Session(self._engine_told)
        self.cases = catalogue()
        self.panel = Panel(self.cases, self.move)
        self.kept: Setting | None = None
        self.view: tuple[float, float] | None = None  # None: the whole run
        self.pixels = PIXELS
        self.version = 0  # of the settings: a click on a picture of older ones means packets of another run
        self.question: Question | None = None  # that the kernel has not answered yet
        self.kernels: xr.Dataset | None = None  # its run of the setting
        self.refusal: dict[str, str] | None = None  # of what was asked for last
        self.drawing = RLock()  # the kernel answers in another thread
        self._listen()
        begun = Chapter.load(REPO.params / f"{chapter}.yaml")
        self.setting = case_of(begun, case)
        self.panel.start.value = title_of(begun, case)

    def _listen(self) -> None:
        self.panel.start.observe(lambda change: self._begin(change["new"]), "value")
        self.panel.keep.observe(lambda change: self._keep(change["new"]), "value")
        self.panel.whole.on_click(lambda button: self._look(None))
        self.panel.play.on_click(lambda button: self._play(self.setting, self._interesting_s()))
        self.panel.ask.on_click(lambda button: self.ask() if self.question is None else self._asked_no_more())
        self.panel.load.observe(lambda change: self._loaded(change["new"]), "value")
        self.charts.on_msg(lambda widget, told, buffers: self._touched(told))

    @property
    def scenario(self) -> Scenario:
        """What the controls ask for now."""
        return scenario_from(self.setting)

    @property
    def dataset(self) -> xr.Dataset:
        """Its run."""
        return self.session.run(self.scenario)

    @property
    def numbers(self) -> pd.DataFrame:
        """The numbers above the charts: a row for each, a column for each flow."""
        ds = self.dataset
        rows = {f"{row.name}, {row.unit}".rstrip(", "): row.values for row in numbers(ds).rows}
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(ds["flow_name"].values))

    def move(self, change: Change) -> None:
        """Change the setting, unless that is no scenario: then say why, and leave everything as it is."""
        self._try({**in_step(self.setting, change(self.setting)), "name": OWN_NAME})

    def load(self, path: Path | str) -> None:
        """Show the scenario of a file. Raises ScenarioError."""
        self._set(load_scenario(path).to_mapping())
        self.panel.show(self.setting)

    def save(self, path: Path | str) -> None:
        """Write the setting as a scenario's file."""
        Path(path).write_text(self.scenario.to_yaml(), "utf-8")

    def _try(self, setting: Setting) -> None:
        try:
            self._set(scenario_from(setting).to_mapping())
        except ScenarioError as error:
            self._refuse(str(error))
        else:
            self.panel.start.value = OWN
        self.panel.show(self.setting)

    def _refuse(self, text: str) -> None:
        """Say why nothing was changed, until something is."""
        self.refusal = {"text": text, "state": "wrong"}
        self.charts.status = self.refusal

    def _set(self, setting: Setting) -> None:
        with self.drawing:
            self._asked_no_more()
            self.setting, self.refusal = setting, None
            self.charts.words = values_of(setting)
            self.version += 1
            self.draw()
        self.panel.offer(str(setting["name"]).replace("/", "-"), self.scenario.to_yaml())

    def draw(self) -> None:
        """Show the runs: the kept one, if there is one, and that of the setting."""
        with self.drawing:
            self._draw()

    def _draw(self) -> None:
        self.charts.status = COMPUTING
        settings = [self.setting] if self.kept is None else [self.kept, self.setting]
        runs = [(described(each, reached(ds)), scenario, ds) for each in settings
                for scenario in [scenario_from(each)] for ds in [self.session.run(scenario)]]  # fmt: skip
        end_s = max(scenario.end_s for _, scenario, _ in runs)
        picture = picture_of(runs, View(*(self.view or (0.0, end_s)), self.pixels), self.kernels)
        self.charts.picture = picture | {"version": self.version}
        self._engine_told(self.session.engines.is_ready)

    def ask(self) -> None:
        """Let the kernel run the setting, in the background; its curves then lie over the model's."""
        scenario, shown = self.scenario, self.panel.asked
        with self.drawing:  # a refusal comes at once
            self._asked_no_more()
            self.panel.show_asking(scenario.end_s)
            self.charts.answer = f"The kernel is asked: {scenario.end_s:g} s, in real time."
            self.question = Question(scenario, lambda now_s: shown.set_trait("value", now_s), self._answered)

    def _asked_no_more(self) -> None:
        """Forget what the kernel was asked, and what it answered."""
        if self.question is not None:
            self.question.abandon()
        self.question = self.kernels = None
        self.panel.show_asking(None)

    def _answered(self, question: Question, answer: Answer) -> None:
        """Lay the kernel's run over the model's, if it is still the one that was asked for."""
        with self.drawing:
            if question is not self.question:
                return
            self._asked_no_more()
            if isinstance(answer, str):
                self.charts.answer = answer
            elif answer is None:
                self.charts.answer = "The kernel was asked no further."
            else:
                self.kernels = answer
                self.draw()
                self.charts.answer = beside(self.dataset, answer)

    def offer_kernel(self) -> None:
        """Show the button that asks the kernel, where there is one to ask."""
        if is_available():
            self.panel.kernel.layout.display = None

    def _begin(self, title: str) -> None:
        if title != OWN:
            self.view = None
            self._set(self.cases[title])
            self.panel.show(self.setting)

    def _keep(self, wanted: bool) -> None:
        self.kept = (self.kept or self.setting) if wanted else None
        self.version += 1
        self.draw()

    def _look(self, view: tuple[float, float] | None) -> None:
        if view is None or view[1] - view[0] >= SHORTEST_VIEW_S:
            self.view = view
            self.draw()

    def _loaded(self, files: Any) -> None:
        for file in files:
            name = Path(file["name"])
            try:
                mapping = {"name": name.stem} | mapping_of(name, bytes(file["content"]).decode())
                self._try(scenario_from(mapping, f"{name}: ").to_mapping())
            except (ScenarioError, UnicodeDecodeError) as error:
                self._refuse(str(error))

    def _follow(self, words: dict[str, str]) -> None:
        """Show what a link's words say."""
        try:
            wanted = setting_of(words)
        except ScenarioError as error:
            self._refuse(f"The link: {error.args[0]}")
            return
        if not is_same(wanted, self.setting):  # a reload asks for what is shown already, if the kernel went on
            self.view = None
            self._try(wanted)

    def _touched(self, told: dict[str, Any]) -> None:
        """What the charts send when they are clicked, dragged or resized."""
        if told.get("do") in ("fate", "play") and told.get("version", self.version) != self.version:
            self.charts.status = OUTDATED
            return
        match told:
            case {"do": "zoom", "from_s": start, "to_s": end}:
                self._look((float(start), float(end)))
            case {"do": "whole"}:
                self._look(None)
            case {"do": "resize", "pixels": pixels}:
                self.pixels = int(pixels)
                self.draw()
            case {"do": "fate", "run": place, "flow": flow, "number": number, "fate": fate}:
                self._change_fate(self._shown(place), int(flow), int(number), fate)
            case {"do": "play", "run": place, "time_s": time_s}:
                self._play(self._shown(place), float(time_s))
            case {"do": "follow", "words": words}:
                self._follow(words)
            case {"do": "close"}:
                self.charts.page = ""

    def _play(self, setting: Setting, time_s: float) -> None:
        self.charts.page = animation(self.session.run(scenario_from(setting)), time_s)

    def _interesting_s(self) -> float:
        """The middle of the view; of a whole run the first drop, or else the start."""
        if self.view is not None:
            return sum(self.view) / 2
        ds = self.dataset
        drops = ds["packet_enqueued_s"].values[ds["packet_dropped"].values]
        return float(drops.min()) if drops.size else float(ds["flow_start_s"].min())

    def _shown(self, place: int) -> Setting:
        return self.kept if self.kept is not None and place == 0 else self.setting

    def _change_fate(self, before: Setting, flow: int, number: int, fate: Any) -> None:
        """Show a run as it is, and beside it as it would be if one packet had been lost, or not."""
        after = with_fate(before, flow, number, fate)
        try:
            scenario = scenario_from({**after, "name": OWN_NAME})
        except ScenarioError as error:
            self._refuse(str(error))
            return
        self.setting, self.kept = scenario.to_mapping(), before
        self.panel.keep.value = True
        self._set(self.setting)
        self.panel.show(self.setting)
        came_of_it = compared(self.session.run(scenario_from(before)), self.dataset)
        self.charts.answer = f"Packet {number} of flow {flow} {fate}. {came_of_it}"

    def _engine_told(self, ready: bool) -> None:
        self.charts.status = self.refusal or (READY if ready else WAIT)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """How a notebook shows it."""
        Thread(target=self.offer_kernel, daemon=True).start()
        layout = {"flex_flow": "row wrap", "align_items": "flex-start", "grid_gap": "12px"}
        return ipywidgets.Box([self.panel.box(), self.charts], layout=layout)._repr_mimebundle_(**options)
