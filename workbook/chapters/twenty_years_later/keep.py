"""Run all ensembles on the kernel, in real time and several side by side, and keep their numbers.

python -m workbook.chapters.twenty_years_later.keep
"""

import json
import platform
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from simcore import simulate
from workbook.chapters.chapter import Chapter
from workbook.chapters.twenty_years_later.ensembles import KEPT, Member, members, row
from workbook.paths import REPO

AT_ONCE: Final = 4  # they mostly wait; with more the lateness grows
LATE_US: Final = 2500  # a run that was later, at the 99th percentile, is made again: CUBIC and timers go by the clock


def measured(member: Member) -> dict[str, Any]:
    """A run on the kernel as a row, with how well it kept time."""
    ds = simulate(member.scenario, member.engine)
    kept_time = {"by_clock": ds.attrs["stamped_by_clock_packets"], "late_p99_us": round(ds.attrs["lateness_p99_us"])}
    return row(member, ds) | kept_time


def keep(asked: Sequence[Member], path: Path) -> None:
    """Write the rows of all runs to a file; those that are there and kept time are not made again."""
    rows = json.loads(path.read_text("utf-8"))["rows"] if path.is_file() else []
    there = {(row["case"], row["offset_ms"]): row for row in rows if row["late_p99_us"] <= LATE_US}
    missing = [member for member in asked if member[:2] not in there]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        made = list(tqdm(pool.map(measured, missing), total=len(missing), disable=None))
    by_member = there | {(row["case"], row["offset_ms"]): row for row in made}
    lines = ",\n".join(json.dumps(by_member[member[:2]]) for member in asked)
    kernel = f"{platform.system()} {platform.release()}"
    path.write_text(f'{{"kernel": {json.dumps(kernel)}, "rows": [\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    keep(list(members(Chapter.load(REPO.params / "twenty-years-later.yaml"))), KEPT)
