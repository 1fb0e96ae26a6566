"""What a campaign did: a table of counts and seeds, and a folder for each fault."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from campaign.trials import Finding, Kind


@dataclass
class Tally:
    """What came of one kind."""

    kind: Kind
    seeds: list[int] = field(default_factory=list)
    trials: int = 0
    seconds: float = 0.0
    findings: list[tuple[int, Finding]] = field(default_factory=list)

    def run(self, seed: int) -> None:
        """A round with this seed. A fault of the campaign itself is told like any other."""
        start = time.monotonic()
        done = self.kind.round(seed)
        self.seeds.append(seed)
        self.trials += done.trials
        self.seconds += time.monotonic() - start
        self.findings += [(seed, finding) for finding in done.findings]


def write(tallies: Sequence[Tally], folder: Path) -> str:
    """Write `folder`/report.md and the files of each fault beside it. Returns the report."""
    lines = ["| kind | trials | rounds | seeds | s | faults |", "| --- | ---: | ---: | --- | ---: | ---: |"]
    for tally in tallies:
        seeds = f"{tally.seeds[0]} to {tally.seeds[-1]}" if tally.seeds else ""
        counts = f"{tally.trials} | {len(tally.seeds)} | {seeds} | {tally.seconds:.0f} | {len(tally.findings)}"
        lines.append(f"| {tally.kind.name}: {tally.kind.about} | {counts} |")
    for tally in tallies:
        for number, (seed, finding) in enumerate(tally.findings, 1):
            place = folder / f"{tally.kind.name}-{seed}-{number}"
            place.mkdir(parents=True, exist_ok=True)
            for name, content in finding.files.items():
                (place / name).write_bytes(content)
            again = f"python -m campaign --minutes 0 --seed {seed} {tally.kind.name}"
            lines += ["", f"## {place.name}", "", "```", finding.told, "```", "", f"Files: {place}. Again: `{again}`"]
    text = "\n".join(lines) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(text, "utf-8", "backslashreplace")
    return text
