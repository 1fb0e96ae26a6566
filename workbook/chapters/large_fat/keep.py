"""Make all runs of the chapter's experiments, in some minutes, and keep the totals of the long ones.

python -m workbook.chapters.large_fat.keep
"""

import json
from collections.abc import Mapping
from typing import Any

from tqdm import tqdm

from workbook.chapters.chapter import Chapter
from workbook.chapters.large_fat.experiments import EXPERIMENTS
from workbook.chapters.large_fat.kept_totals import KEPT, LONG_PACKETS, key
from workbook.chapters.large_fat.lab import Counted, Lab
from workbook.paths import REPO


class Keeping(Lab):
    """Simulates every run, and remembers the long ones."""

    def __init__(self, chapter: Chapter, engine: str) -> None:
        super().__init__(chapter, engine)
        self.made: dict[str, dict[str, Any]] = {}

    def counted(self, case: str, changes: Mapping[str, object] | None = None) -> Counted:
        """Run a case for its totals."""
        run = super().counted(case, changes)
        if run.total("sent") >= LONG_PACKETS:
            totals = {name: of_flows.tolist() for name, of_flows in run.totals.items()}
            self.made[key(run.scenario)] = {"case": case, "changes": dict(changes or {}), "totals": totals}
        return run


def keep(lab: Keeping) -> None:
    """Write a line for each long run."""
    for experiment in tqdm(EXPERIMENTS.values(), disable=None):
        experiment.measure(lab)
    lines = ",\n".join(f'"{name}": {json.dumps(run)}' for name, run in lab.made.items())
    KEPT.write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    keep(Keeping(Chapter.load(REPO.params / "large-fat.yaml"), "compiled"))
