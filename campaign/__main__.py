"""Try kinds of trials in turn until the time is over; exit status 1 if a fault was found."""

import argparse
import itertools
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from campaign import inputs, kills, report, scenarios
from campaign.report import Tally
from campaign.trials import Kind
from workbook.paths import REPO

KINDS: Final[dict[str, Kind]] = {
    kind.name: kind for kind in (*scenarios.KINDS, *inputs.KINDS, *kills.KINDS)
}  # fmt: skip


def main() -> None:
    """Run a campaign and write build/campaign/report.md."""
    parser = argparse.ArgumentParser(
        prog="python -m campaign",
        description="Look for faults: both engines on random scenarios, damaged files, kills. Writes build/campaign/.",
    )
    parser.add_argument("kinds", metavar="KIND", nargs="*", help=f"all of them, or some of {', '.join(KINDS)}")
    parser.add_argument("--minutes", type=float, default=60, help="at least one round of each kind is done [60]")
    parser.add_argument("--seed", type=int, default=1, help="of the first round; the next has the next number [1]")
    given = parser.parse_args()
    if unknown := [name for name in given.kinds if name not in KINDS]:
        parser.error(f"{unknown[0]!r} is not known; allowed: {', '.join(KINDS)}")
    tallies = [Tally(KINDS[name]) for name in given.kinds or KINDS]
    folder = REPO.build / "campaign"
    try:
        run(tallies, given.seed, given.minutes, folder)
    except KeyboardInterrupt:
        print("Stopped; this is what there is until then.", file=sys.stderr)
    print(report.write(tallies, folder), end="")
    raise SystemExit(any(tally.findings for tally in tallies))


def run(tallies: Sequence[Tally], seed: int, minutes: float, folder: Path) -> None:
    """Rounds of each kind in turn, a line each, until the time is over. What was found is kept after each round."""
    until = time.monotonic() + 60 * minutes
    for number, tally in zip(itertools.count(seed), itertools.cycle(tallies), strict=False):
        if number - seed >= len(tallies) and time.monotonic() > until:
            return
        tally.run(number)
        report.write(tallies, folder)
        print(f"{tally.kind.name}, seed {number}: {tally.trials} trials, {len(tally.findings)} faults", flush=True)


if __name__ == "__main__":
    main()
