"""Where things lie: the one file that knows the directories of the workbook."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

MANIFEST: Final = "manifest.json"
"""In each chapter's folder of figures: the hash of every file there, and of all that they were made from."""


@dataclass(frozen=True)
class Places:
    """The directories of one workbook, all under its root."""

    root: Path

    @property
    def params(self) -> Path:
        """One YAML file per chapter."""
        return self.root / "params"

    @property
    def notebooks(self) -> Path:
        """The chapters' notebooks, each with two digits before its name, and the map and the explorer."""
        return self.root / "notebooks"

    @property
    def labs(self) -> Path:
        """The lab sheets, with the instructor's solutions."""
        return self.root / "notebooks" / "labs"

    @property
    def course(self) -> Path:
        """The course that `make assignments` makes."""
        return self.build / "course"

    @property
    def claims(self) -> Path:
        """One YAML file per source document."""
        return self.root / "claims"

    @property
    def docs(self) -> Path:
        """What the book has beside chapters: why things are as they are, and how to make a study of one's own."""
        return self.root / "docs"

    @property
    def figures(self) -> Path:
        """What the chapters produced: one directory per chapter, in it one per case."""
        return self.root / "figures"

    @property
    def sweeps(self) -> Path:
        """What is kept of sweeps of thousands of runs, for chapters to read."""
        return self.figures / "sweeps"

    @property
    def build(self) -> Path:
        """Everything that may be deleted at any time; not kept in git."""
        return self.root / "build"

    @property
    def runs(self) -> Path:
        """Runs that are opened again as long as nothing changed that decides them."""
        return self.build / "runs"

    @property
    def lock(self) -> Path:
        """The exact versions of everything the workbook needs."""
        return self.root / "requirements.lock"

    def executed(self, notebook: str) -> Path:
        """Where the executed copy of a notebook goes."""
        return self.build / "notebooks" / Path(notebook).name

    def partial(self, notebook: str) -> Path:
        """Where a notebook is executed; what a failing one leaves behind stays here to be looked at."""
        return self.executed(notebook).with_suffix(".partial.ipynb")

    def staging(self, chapter: str) -> Path:
        """Where a chapter's figures are drawn before they replace the old ones."""
        return self.build / "figures" / chapter


REPO = Places(Path(__file__).resolve().parents[1])
"""This workbook."""
