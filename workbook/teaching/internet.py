"""Lab 7's runs on a Linux kernel: kept as numbers, and live where the system allows it."""

import json
from typing import Final

import pandas as pd
import xarray as xr

from simcore import EngineUnavailableError, Scenario, ScenarioError, simulate
from workbook.paths import REPO
from workbook.teaching.variant import Variant

KEPT: Final = REPO.params / "labs" / "internet-runs.json"
VARIANTS: Final = {"reno": "sack", "cubic": "cubic", "bbr": "bbr", "own": "own"}  # all of them with SACK
CASE: Final = ["rate_mbps", "buffer_packets", "keep", "first", "second"]  # what tells one case from another


def kept_runs(mine: Variant) -> pd.DataFrame:
    """The kept runs over a student's path, one a row: who sent, over which buffer, and what came of it."""
    rows = pd.DataFrame(json.loads(KEPT.read_text("utf-8"))["rows"])
    parts = rows["case"].str.split(" ", expand=True).set_axis(CASE, axis=1)
    runs = pd.concat([parts.astype({"rate_mbps": float, "buffer_packets": int, "keep": float}), rows], axis=1)
    same_path = runs["rate_mbps"] == mine.base["bottleneck"]["rate_mbps"]
    same_keep = (runs["keep"] == mine.given["keep"]) | runs["keep"].isna()
    shown = [name for name in runs if name not in ("case", "rate_mbps", "keep", "by_clock", "late_p99_us")]
    return runs.loc[same_path & same_keep, shown].reset_index(drop=True)


def live(scenario: Scenario) -> xr.Dataset | None:
    """A run on this computer's own kernel, in real time; or nothing, and a line that says why it can't be."""
    try:
        return simulate(scenario, engine="kernel", progress=True)
    except (EngineUnavailableError, ScenarioError) as error:
        print(f"Not on this computer: {error}\nThe kept runs have it.")
        return None


def opponents(first: str, second: str) -> dict[str, object]:
    """What to change in the scenario so that these two meet."""
    return {"flows.0.variant": VARIANTS[first], "flows.1.variant": VARIANTS[second]}
