"""What the notebooks call: run a chapter's cases, press them into its folder, show and tabulate them."""

from collections.abc import Mapping

import pandas as pd
import xarray as xr
from IPython.display import Image, display

from simcore import simulate
from workbook.chapter import Chapter
from workbook.ledger.beside import beside
from workbook.paths import REPO
from workbook.plots.catalogue import plots_for
from workbook.plots.then_and_now import then_and_now_figure
from workbook.provenance import provenance
from workbook.save import save, save_png, save_svg
from workbook.statistics import Statistics, case_counts, case_statistics, write_json

THEN_AND_NOW = "then-and-now"
COLUMNS = ("sent", "dropped", "kb", "loss_percent")


class Telling:
    """A chapter being told: its cases are simulated once, and everything shown comes from them."""

    def __init__(self, params_file: str, engine: str, output: str) -> None:
        self.chapter = Chapter.load(REPO.root / params_file)  # JupyterLab runs a notebook in the notebook's folder
        self.engine = engine
        self.output = REPO.root / output
        self.runs: dict[str, xr.Dataset] = {}
        self.statistics: dict[str, Statistics] = {}
        self.now: dict[str, dict[str, Statistics]] = {}

    def press(self) -> None:
        """Simulate every case; write its figures, statistics and provenance below the output folder."""
        for case in self.chapter.cases:
            self.runs[case] = simulate(self.chapter.scenario(case), self.engine)
            self.statistics[case] = case_statistics(self.runs[case])
            self._write(case)

    def press_then_and_now(self) -> None:
        """Simulate every case again under the chapter's other profiles; write their counts and a figure."""
        for name, overrides in self.chapter.then_and_now.items():
            runs = {case: simulate(self.chapter.scenario(case, **overrides), self.engine) for case in self.runs}
            self.now[name] = {case: case_counts(run) for case, run in runs.items()}
        folder = self.output / THEN_AND_NOW
        write_json(self.now, folder / "statistics.json")
        titles = {case: self.chapter.cases[case].title for case in self.runs}
        save(then_and_now_figure(self._eras(), titles), folder / THEN_AND_NOW)

    def show(self, case: str, *stems: str) -> None:
        """Show figures of a case that were pressed, one below the other."""
        for stem in stems:
            display(Image(self.output / case / f"{stem}.png"))

    def show_then_and_now(self) -> None:
        """Show the figure that compares the profiles."""
        self.show(THEN_AND_NOW, THEN_AND_NOW)

    def counts(self) -> pd.DataFrame:
        """Per case and flow what was sent, dropped and received, and the losses."""
        return _table({case: self.statistics[case] for case in self.runs}, COLUMNS)

    def counts_then_and_now(self) -> pd.DataFrame:
        """Per case and flow the packets sent and the KB received under each profile."""
        tables = {era: _table(found, ("sent", "kb")) for era, found in self._eras().items()}
        return pd.concat(tables, axis="columns")

    def said(self, source: str, case: str) -> pd.DataFrame:
        """The numbers that a source document prints of a case, beside ours, with the verdict."""
        return beside(REPO.claims / f"{source}.yaml", self.chapter.chapter, case, self.statistics)

    def _eras(self) -> dict[str, Mapping[str, Statistics]]:
        return {str(self.chapter.base["profile"]): self.statistics, **self.now}

    def _write(self, case: str) -> None:
        run, folder, title = self.runs[case], self.output / case, self.chapter.cases[case].title
        captions = {}
        for plot in plots_for(run):
            figure = plot.draw(run, f"{self.chapter.title}: {title}")
            save_png(figure, folder / f"{plot.stem}.png")
            if case.endswith("baseline"):  # vector graphics of all cases would be larger than the pictures together
                save_svg(figure, folder / f"{plot.stem}.svg")
            captions[plot.stem] = plot.caption
        write_json(self.statistics[case], folder / "statistics.json")
        write_json(provenance(run, self.chapter.chapter, case, title, captions), folder / "provenance.json")


def _table(statistics: Mapping[str, Statistics], columns: tuple[str, ...]) -> pd.DataFrame:
    rows = {
        (case, flow): {column: counts[column] for column in columns}
        for case, parts in statistics.items()
        for flow, counts in parts.items()
        if flow.startswith("flow")
    }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index = pd.MultiIndex.from_tuples(rows, names=["case", "flow"])
    return table.round(2)
