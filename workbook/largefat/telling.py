"""What the chapter's notebook calls: run an experiment, press it into its folder, show it."""

from pathlib import Path
from typing import Any

import pandas as pd
from IPython.display import Image, display

from simcore.provenance import versions
from workbook.chapter import Chapter
from workbook.largefat.experiments import EXPERIMENTS, Experiment
from workbook.largefat.lab import Lab
from workbook.largefat.table import as_table
from workbook.ledger.beside import beside
from workbook.paths import REPO
from workbook.save import save_png
from workbook.statistics import Statistics, plain, write_json


class LargeFat:
    """The chapter being told: each experiment is made once, and everything shown comes from it."""

    def __init__(self, params_file: str, engine: str, output: str) -> None:
        self.lab = Lab(Chapter.load(params_file), engine)
        self.output = Path(output)
        self.numbers: dict[str, Statistics] = {}

    def press(self, name: str) -> Statistics:
        """Make an experiment; write its numbers, figures and provenance; return the numbers."""
        experiment, folder = EXPERIMENTS[name], self.output / name
        self.numbers[name] = plain(experiment.measure(self.lab))
        write_json(self.numbers[name], folder / "statistics.json")
        for stem, (draw, _) in experiment.figures.items():
            save_png(draw(self.lab, self.numbers[name]), folder / f"{stem}.png")
        write_json(self._provenance(name, experiment), folder / "provenance.json")
        return self.numbers[name]

    def show(self, name: str, *stems: str) -> None:
        """Show figures that were pressed, one below the other."""
        for stem in stems:
            display(Image(self.output / name / f"{stem}.png"))

    def table(self) -> pd.DataFrame:
        """The table of slide 15 with ours, cell by cell."""
        return as_table(self.lab, self.numbers["table"])

    def said(self, name: str) -> pd.DataFrame:
        """The numbers that the slides print and an experiment decides, with the verdict."""
        return beside(REPO.claims / "large-fat.yaml", self.lab.chapter.chapter, name, self.numbers)

    def _provenance(self, name: str, experiment: Experiment) -> dict[str, Any]:
        """The scenarios, the versions, and what each figure shows: enough to make them again."""
        return {
            "chapter": self.lab.chapter.chapter,
            "case": name,
            "title": experiment.title,
            "scenario": {case: self.lab.scenario(case).to_mapping() for case in experiment.cases},
            "engine": self.lab.engine,
            "versions": versions(),
            "figures": {stem: caption for stem, (_, caption) in experiment.figures.items()},
        }
