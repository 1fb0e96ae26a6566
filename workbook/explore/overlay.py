"""The kernel's curves over the model's: dotted, in the same charts."""

from collections.abc import Mapping
from typing import Final

import xarray as xr

from workbook.explore.charts import Drawn, View, charts

CURVES: Final[Mapping[str, str]] = {"throughput": "bins", "window": "steps", "queue": "area"}  # by chart: their form


def with_kernels(drawn: list[Drawn], kernel: xr.Dataset, view: View) -> list[Drawn]:
    """The model's charts, with a curve of the kernel's beside each that has its form."""
    return [_both(ours, theirs) for ours, theirs in zip(drawn, charts(kernel, view, {}), strict=True)]


def _both(ours: Drawn, theirs: Drawn) -> Drawn:
    form = CURVES.get(ours["name"])
    curves = [curve | {"dotted": True} for curve in theirs["series"] if curve["form"] == form]
    if not curves:
        return ours
    return ours | {"series": ours["series"] + curves, "note": f"dotted: the kernel's; {ours['note']}"}
