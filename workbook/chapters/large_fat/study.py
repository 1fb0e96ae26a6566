"""What the chapter's notebook holds: runs to draw, experiments to measure, and where both are written."""

from functools import cached_property

import pandas as pd
import xarray as xr

from simcore.results.tree import dataset_of
from workbook.chapters.large_fat import kept_totals
from workbook.chapters.large_fat.experiments import EXPERIMENTS
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.large_fat.runs import runs_of
from workbook.chapters.large_fat.settings import Settings
from workbook.chapters.large_fat.table import as_table
from workbook.chapters.statistics import Statistics, plain, write_json
from workbook.chapters.study import Study


class LargeFat(Study):
    """The chapter at work: its folders are experiments, each of many runs, not cases."""

    def __init__(self, params_file: str, engine: str, output: str | None = None) -> None:
        super().__init__(params_file, engine, output)
        self.lab = Lab(self.chapter, engine, kept_totals.load())

    @property
    def settings(self) -> Settings:
        """What the parameters say beside the cases."""
        return self.lab.settings

    @cached_property
    def runs(self) -> xr.DataTree:
        """The runs that figures are drawn from (`workbook.chapters.large_fat.runs`); measuring uses them too."""
        runs = runs_of(self.lab)
        self.lab.known |= {name: dataset_of(run) for name, run in runs.children.items() if "packets" not in run}
        return runs

    @cached_property
    def statistics(self) -> dict[str, Statistics]:
        """The numbers of the experiments that were measured so far, by their names."""
        return {}

    def measure(self, name: str) -> Statistics:
        """Make all runs of an experiment; write its numbers as statistics.json and return them."""
        numbers = self.statistics[name] = plain(EXPERIMENTS[name].measure(self.lab))
        self.write(name, numbers)
        return numbers

    def table(self) -> pd.DataFrame:
        """The table of slide 15 with ours, cell by cell."""
        return as_table(self.settings, self.statistics["table"])

    def _write_provenance(self, folder: str) -> None:
        """The scenarios behind an experiment, and what each figure shows: enough to make them again."""
        experiment, words = EXPERIMENTS[folder], self._words[folder]
        written = {
            "chapter": self.chapter.chapter,
            "case": folder,
            "title": experiment.title,
            "scenario": {case: self.lab.scenario(case).to_mapping() for case in experiment.cases},
            "engine": self.engine,
            "figures": {stem: each.caption for stem, each in words.items()},
            "alt": {stem: each.alt for stem, each in words.items()},
        }
        write_json(written, self.output / folder / "provenance.json")
