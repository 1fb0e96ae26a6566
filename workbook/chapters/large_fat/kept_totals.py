"""Totals of the chapter's long runs, kept in figures/sweeps/: hundreds of millions of packets, minutes of computing."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

import numpy as np

from simcore import Scenario
from simcore.results.totals import Totals
from workbook.paths import REPO

KEPT: Final = REPO.sweeps / "large-fat-totals.json"
LONG_PACKETS: Final = 200_000  # a shorter run takes some hundredths of a second, and is made whenever it is asked for


def key(scenario: Scenario) -> str:
    """Names a scenario by all that it says: what is changed in it, or in the parameters, is another one."""
    return sha256(scenario.to_yaml().encode()).hexdigest()[:16]


def load() -> Mapping[str, Totals]:
    """By the key of its scenario the totals of each run that is kept."""
    runs = json.loads(KEPT.read_text("utf-8"))
    totals = {name: run["totals"] for name, run in runs.items()}
    return {name: {total: np.array(of_flows) for total, of_flows in counts.items()} for name, counts in totals.items()}
