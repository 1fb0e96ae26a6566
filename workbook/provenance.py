"""Where a case's figures came from: enough to make them again."""

import json
from collections.abc import Mapping
from typing import Any

import xarray as xr
import yaml


def provenance(ds: xr.Dataset, chapter: str, case: str, title: str, captions: Mapping[str, str]) -> dict[str, Any]:
    """The scenario, the engine and the versions behind a run, and what each figure shows."""
    return {
        "chapter": chapter,
        "case": case,
        "title": title,
        "scenario": yaml.safe_load(ds.attrs["scenario"]),
        "engine": ds.attrs["engine"],
        "versions": json.loads(ds.attrs["versions"]),
        "figures": dict(captions),
    }
