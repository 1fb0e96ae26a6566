"""What a chapter's notebook holds: its runs, their numbers, tidy frames of them, and a place for its figures."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import matplotlib.pyplot as plt
import pandas as pd
import xarray as xr
from IPython.display import Image
from pandas.io.formats.style import Styler

from simcore import scenario_from, simulate_totals
from simcore.results.totals import Totals
from workbook.chapters.chapter import Chapter
from workbook.chapters.frame import frame
from workbook.chapters.provenance import provenance
from workbook.chapters.runs import eras_of, runs_of
from workbook.chapters.statistics import Statistics, case_counts, case_statistics, write_json, write_statistics
from workbook.ledger.table import claims_styled, claims_table
from workbook.paths import REPO
from workbook.plots import style
from workbook.plots.catalogue import Plot, plots_for
from workbook.plots.describe import Words, words_of
from workbook.plots.save import figure_of, save_png, save_svg
from workbook.plots.then_and_now import then_and_now

THEN_AND_NOW = "then-and-now"
COLUMNS = ("sent", "dropped", "kb", "loss_percent")


class Study:
    """A chapter at work. Chapters that need more than this have a class of their own over it."""

    def __init__(self, params_file: str, engine: str, output: str | None = None) -> None:
        """`output` is where figures and numbers go; below build/ if it isn't given.

        Paths are relative to the workbook's root, whatever the working directory: JupyterLab runs a notebook in the
        notebook's folder. Raises ChapterError for a file that is no chapter.
        """
        self.chapter = Chapter.load(REPO.root / params_file)
        self.engine = engine
        self.output = REPO.root / output if output else REPO.staging(self.chapter.chapter)
        self._words: dict[str, dict[str, Words]] = {}
        self._written: dict[str, Mapping[str, object]] = {}
        style.use()

    def run(self) -> xr.DataTree:
        """Every case as a node: simulated, or opened from build/ if nothing changed that decides the runs."""
        return self.runs

    @cached_property
    def runs(self) -> xr.DataTree:
        """What `run` returns."""
        return runs_of(self.chapter, self.engine)

    @cached_property
    def eras(self) -> xr.DataTree:
        """Every case under each of the chapter's profiles, its own first: `eras["ns-2.35/baseline"]`."""
        later = eras_of(self.chapter, self.engine)
        return xr.DataTree.from_dict({str(self.chapter.base["profile"]): self.runs, **later.children})

    @cached_property
    def statistics(self) -> dict[str, Statistics]:
        """Per case everything said in numbers about its run: what becomes statistics.json, and the ledger judges."""
        return {case: case_statistics(self.runs.children[case]) for case in self.chapter.cases}

    @cached_property
    def era_counts(self) -> dict[str, dict[str, Statistics]]:
        """Per profile and case what was counted, transferred and shared."""
        return {
            era: {case: case_counts(run) for case, run in runs.children.items()}
            for era, runs in self.eras.children.items()
        }

    def started_later(self, case: str, later_s: Sequence[float]) -> Totals:
        """The totals of a case whose flows start so much later, each by its own, in s."""
        given = self.chapter.scenario(case).to_mapping()
        for flow, more_s in zip(given["flows"], later_s, strict=True):
            flow["start_s"] += more_s
        return simulate_totals(scenario_from(given), "compiled")

    def title(self, case: str) -> str:
        """The chapter and the case, for people."""
        return f"{self.chapter.title}: {self.chapter.cases[case].title}"

    def frame(self, metric: str, by: Sequence[str] = ("case", "flow")) -> pd.DataFrame:
        """A metric of all runs as a tidy frame (`workbook.chapters.frame`); of all profiles if `by` names `era`."""
        return frame(self.eras if "era" in by else self.runs, metric, by)

    def save(self, drawn: object, place: str) -> Image:
        """Write a figure to `place`, "case/name", below the output folder; return its picture, for the cell to show.

        `drawn` is a figure, its axes or a seaborn grid, with words (`workbook.plots.describe`): they go into the
        folder's provenance.json. A baseline's figures are written as SVG too. Raises ValueError for a figure without
        words.
        """
        figure, words = figure_of(drawn), words_of(drawn)
        folder, _, stem = place.rpartition("/")
        png = save_png(figure, self.output / f"{place}.png")
        if folder.endswith("baseline"):  # vector graphics of all cases would be larger than the pictures together
            save_svg(figure, self.output / f"{place}.svg")
        self._words.setdefault(folder, {})[stem] = words
        self._write_provenance(folder)
        plt.close(figure)  # or IPython would show it a second time at the cell's end
        return Image(png, alt=words.alt)

    def draw(self, plot: Plot, case: str) -> Image:
        """One of the catalogue's figures of a case, saved under its own name, to be shown."""
        return self.save(plot.draw(self.runs.children[case], self.title(case)), f"{case}/{plot.stem}")

    def draw_eras(self) -> Image:
        """What each flow gets under each profile, saved with the counts below then-and-now/, to be shown."""
        titles = {case: self.chapter.cases[case].title for case in self.chapter.cases}
        later = {era: counts for era, counts in self.era_counts.items() if era != self.chapter.base["profile"]}
        self.write(THEN_AND_NOW, later)
        throughput = self.frame("throughput_kbps", ["era", "case", "flow"])
        return self.save(then_and_now(throughput, titles), f"{THEN_AND_NOW}/{THEN_AND_NOW}")

    def save_cases(self) -> None:
        """Write every case's numbers, and those of its figures that no cell saved."""
        for case in self.chapter.cases:
            self.write(case, self.statistics[case])
            for plot in plots_for(self.runs.children[case]):
                if plot.stem not in self._words.get(case, {}):
                    self.draw(plot, case)

    def write(self, folder: str, numbers: Mapping[str, object]) -> None:
        """Write the numbers of a case, or of what else a folder is about, as its statistics.json; `said` reads them."""
        self._written[folder] = write_statistics(numbers, self.output / folder / "statistics.json")

    def counts(self) -> pd.DataFrame:
        """Per case and flow what was sent, dropped and received, and the losses."""
        return _table(self.statistics, COLUMNS)

    def era_table(self) -> pd.DataFrame:
        """Per case and flow the packets sent and the KB received under each profile."""
        tables = {era: _table(counts, ("sent", "kb")) for era, counts in self.era_counts.items()}
        return pd.concat(tables, axis="columns")

    def said(self, case: str = "", source: str | None = None) -> Styler:
        """What a source says of a case, or of all: each claim with ruler, value, margin, status, verdict and figure.

        It is judged by the cases' statistics and by what was written before this call. The source is the chapter's own
        unless another one of claims/ is named.
        """
        name = self.chapter.chapter
        return claims_styled(claims_table(source or name, name, {**self.statistics, **self._written}, case))

    def _write_provenance(self, folder: str) -> None:
        known = folder in self.chapter.cases
        run = self.runs.children[folder] if known else None
        title = self.chapter.cases[folder].title if known else folder.replace("-", " ").capitalize()
        captions = {stem: words.caption for stem, words in self._words[folder].items()}
        alts = {stem: words.alt for stem, words in self._words[folder].items()}
        written = provenance(run, self.chapter.chapter, folder, title, captions, alts)
        write_json(written, self.output / folder / "provenance.json")


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
