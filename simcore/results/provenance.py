"""Where a Dataset came from: what every run, of whichever model, says of itself."""

import json
import platform
from functools import cache
from importlib.metadata import version
from typing import Protocol

PACKAGES = ("numpy", "simpy", "xarray", "bottleneck-workbook")


class Described(Protocol):
    """What the scenarios of both models have."""

    @property
    def name(self) -> str: ...
    @property
    def seed(self) -> int: ...
    def to_yaml(self) -> str: ...


def provenance(scenario: Described, engine: str) -> dict[str, object]:
    """Attributes that are enough to make the Dataset again. No date: the same run gives the same bytes."""
    return {
        "title": scenario.name,
        "Conventions": "CF-1.11",
        "scenario": scenario.to_yaml(),
        "engine": engine,
        "seed": scenario.seed,
        "versions": json.dumps(versions()),
    }


@cache
def versions() -> dict[str, str]:
    """Of Python and of the packages that decide a run's numbers."""
    return {"python": platform.python_version()} | {package: version(package) for package in PACKAGES}
