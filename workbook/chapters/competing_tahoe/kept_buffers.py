"""Two senders with every buffer and seed, 5200 runs: kept in figures/sweeps/."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

import xarray as xr

from simcore.rounds import RoundsScenario
from workbook.chapters.competing_tahoe.settings import Settings
from workbook.paths import REPO

KEPT: Final = REPO.sweeps / "competing-tahoe-buffers.json"


def identity(scenarios: Mapping[str, RoundsScenario], settings: Settings) -> str:
    """Names the runs by all that decides them: other parameters are other runs."""
    decided = [each.to_yaml() for each in scenarios.values()]
    decided += [settings.sweep.model_dump_json(), settings.seeds.model_dump_json()]
    return sha256("\n".join(decided).encode()).hexdigest()[:16]


def load(made_from: str) -> xr.DataArray | None:
    """The utilisations in percent, by reading, buffer, seed and sender; None if what is kept is of other runs."""
    kept = json.loads(KEPT.read_text("utf-8"))
    return xr.DataArray.from_dict(kept["percent"]) if kept["made_from"] == made_from else None


def write(percent: xr.DataArray, made_from: str) -> None:
    """Keep them."""
    kept = {"made_from": made_from, "percent": percent.to_dict()}
    KEPT.write_text(json.dumps(kept, separators=(",", ":")) + "\n", "utf-8")
