"""Tidy frames: a metric of many runs as the table that seaborn takes, a row an observation."""

from collections.abc import Iterator, Sequence
from inspect import signature
from typing import Final

import pandas as pd
import xarray as xr

from simcore import metrics
from simcore.results.tree import dataset_of

LEVELS: Final = {1: ("case",), 2: ("era", "case")}
"""What the levels of a tree of runs are, by their number."""


def frame(runs: xr.DataTree, metric: str, by: Sequence[str] = ("case", "flow")) -> pd.DataFrame:
    """A metric of `simcore.metrics`, by its name, of every run in a tree.

    A series gives a row for each of its values, with the column `time_s`, a metric per flow a row for each flow, and
    one of a whole run a row for each run. `by` says which of `case`, `flow` (the flow's name) and, in a tree of
    several profiles, `era` become columns. The frame's attribute `label` is what belongs on an axis: "latency in ms".

    Raises ValueError for a metric or a level that doesn't exist.
    """
    if metric not in metrics.__all__:
        raise ValueError(f"no metric {metric!r}; there is {', '.join(metrics.__all__)}")
    parts = []
    for path, run in _runs(runs):
        levels = dict(zip(LEVELS[len(path)], path, strict=True))
        for flow, measured in _measured(dataset_of(run), metric, "flow" in by):
            parts.append(_part(measured, metric, levels | flow, by))
    table = pd.concat(parts, ignore_index=True)
    table.attrs = {"label": parts[0].attrs["label"]} if parts else {}
    return table


def _runs(runs: xr.DataTree) -> Iterator[tuple[tuple[str, ...], xr.DataTree]]:
    """Every run with its path; a run is a node that says which scenario it is of."""
    for node in runs.subtree:
        if "scenario" in node.attrs:
            yield tuple(node.relative_to(runs).split("/")), node


def _measured(ds: xr.Dataset, metric: str, by_flow: bool) -> Iterator[tuple[dict[str, str], object]]:
    """The metric of each flow with its name, or of the whole run."""
    measure = getattr(metrics, metric)
    wanted = signature(measure).parameters.get("flow")
    names = dict(zip(ds["flow"].values.tolist(), ds["flow_name"].values.tolist(), strict=True))
    if wanted is not None and (by_flow or wanted.default is wanted.empty):
        yield from (({"flow": name}, measure(ds, flow)) for flow, name in names.items())
        return
    result = measure(ds)
    if isinstance(result, xr.DataArray) and result.dims == ("flow",):
        yield from (({"flow": names[int(one["flow"])]}, float(one)) for one in result)
    else:
        yield {}, result


def _part(measured: object, metric: str, levels: dict[str, str], by: Sequence[str]) -> pd.DataFrame:
    unknown = [name for name in by if name not in levels]
    if unknown:
        raise ValueError(f"by: {unknown[0]!r} is no level of {metric}; there is {', '.join(levels)}")
    columns: dict[str, object] = {name: levels[name] for name in by}
    label = metric
    if isinstance(measured, xr.DataArray):
        columns |= {"time_s": measured["time_s"].values, metric: measured.values}
        words, units = measured.attrs["long_name"], measured.attrs["units"]
        label = words if units in words.split() else f"{words} in {units}"  # no "packets waiting in packets"
    elif isinstance(measured, xr.Dataset):
        columns |= {str(name): measured[name].values for name in ("time_s", *measured.data_vars)}
    else:
        columns[metric] = [measured]
    part = pd.DataFrame(columns)
    part.attrs["label"] = label
    return part
