"""The named numbers of a case: what its replications gave, and what single runs look like in bins."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from simcore import Scenario, metrics
from simcore.metrics import IdenticalReplicationsWarning, Interval, Replications
from simcore.metrics.series import Array
from simcore.results.tree import Run, dataset_of
from workbook.chapters.background_traffic.looks import scenario_of
from workbook.chapters.background_traffic.runs import COUNTED

Numbers = dict[str, Any]


def replicated_numbers(runs: xr.Dataset) -> Numbers:
    """Per flow and in total what a set of replications gave: each with mean, variance, intervals, n and seeds."""
    scenario, mbps = scenario_of(runs), runs["mbps"].values
    carried, rate = mbps.sum(axis=1), scenario.bottleneck.rate_mbps
    return {
        **{f"flow{i + 1}": _flow_numbers(runs, i) for i in range(runs.sizes["flow"])},
        "total": {
            "mbps": estimate(replications(runs, carried)),
            "utilisation_percent": 100 * float(carried.mean()) / rate,
            "busy_utilisation_percent": 100 * float(carried.mean()) / rate * scenario.end_s / _busy_s(scenario),
            "reno_over_tahoe": float(mbps[:, 0].mean() / mbps[:, 1].mean()),
            "reno_ahead_runs": int((mbps[:, 0] > mbps[:, 1]).sum()),
            "jain_tcp": metrics.jain_index(xr.DataArray(mbps[:, :2].mean(axis=0))),
            "correlation_tcp": _correlation(mbps[:, 0], mbps[:, 1]),
        },
    }


def _flow_numbers(runs: xr.Dataset, i: int) -> Numbers:
    every = runs["mbps"].values
    mbps, tcp, carried = every[:, i], every[:, :2].sum(axis=1), every.sum(axis=1)
    return {
        "mbps": estimate(replications(runs, mbps)),
        "share_percent": 100 * float(mbps.mean() / carried.mean()),
        "link_percent": 100 * float(mbps.mean()) / scenario_of(runs).bottleneck.rate_mbps,
        **({"tcp_share_percent": 100 * float(mbps.mean() / tcp.mean())} if i < 2 else {}),
        "loss_percent": 100 * float(runs["dropped"].values[:, i].sum() / runs["sent"].values[:, i].sum()),
        **{name: float(runs[name].values[:, i].mean()) for name in COUNTED},
    }


def replications(runs: xr.Dataset, values: Array) -> Replications:
    """A measurement of these runs, one value a run."""
    return Replications(values.tolist(), runs["seed"].values.tolist())


def estimate(replications: Replications) -> Numbers:
    """Replications as plain numbers; of identical ones the intervals are left out, as they would say nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", IdenticalReplicationsWarning)
        try:
            intervals: Numbers = {"student": _ends(replications.student()), "normal": _ends(replications.normal())}
            intervals["values_within_normal_percent"] = _within_percent(replications, replications.normal())
        except IdenticalReplicationsWarning as nothing_random:
            intervals = {"warning": str(nothing_random)}
    spread = {"mean": replications.mean, "sd": replications.sd, "variance": replications.variance}
    origin = {"n": replications.n, "seeds": list(replications.seeds), "identical": replications.identical}
    return {**origin, **spread, **intervals}


def _within_percent(replications: Replications, interval: Interval) -> float:
    """How many of the single values lie in the interval of their mean: few, and fewer the more there are."""
    return 100 * sum(interval.low <= value <= interval.high for value in replications.values) / replications.n


def _ends(interval: Interval) -> dict[str, float]:
    return {"low": interval.low, "high": interval.high, "half_width": interval.half_width}


def _busy_s(scenario: Scenario) -> float:
    return max(flow.stop_s for flow in scenario.flows) - min(flow.start_s for flow in scenario.flows)


def _correlation(one: Array, other: Array) -> float | None:
    """Pearson's, or None where one of them never changes."""
    return float(np.corrcoef(one, other)[0, 1]) if one.std() > 0 and other.std() > 0 else None


def bin_numbers(runs: Sequence[Run], bins_s: Sequence[float]) -> Numbers:
    """The extremes of each stream's bandwidth, for each length of the bins: `bin_50ms.flow3.max_kbps.mean` ..."""
    return {f"bin_{1e3 * bin_s:.0f}ms": _extremes(runs, bin_s) for bin_s in bins_s}


def _extremes(runs: Sequence[Run], bin_s: float) -> Numbers:
    by_flow: dict[str, dict[str, list[float]]] = {}
    for each in runs:
        run = dataset_of(each)
        alone_until = float(np.sort(run["flow_start_s"].values)[1])
        for flow in run["flow"].values:
            start, stop = (float(run[name].sel(flow=flow)) for name in ("flow_start_s", "flow_stop_s"))
            active = _between(metrics.bandwidth_kbps(run, int(flow), bin_s), start, stop, bin_s)
            values = {"max_kbps": active.max(), "min_kbps": active.min()}
            if start < alone_until:
                values["alone_max_kbps"] = active[: round((alone_until - start) / bin_s)].max()
            for name, value in values.items():
                by_flow.setdefault(f"flow{flow}", {}).setdefault(name, []).append(float(value))
    return {flow: {name: _range(values) for name, values in each.items()} for flow, each in by_flow.items()}


def _between(series: xr.DataArray, start: float, stop: float, bin_s: float) -> Array:
    """The bins between a flow's first packets and its stop; the first and the last are only partly its own."""
    values: Array = series.values[round(start / bin_s) + 1 : round(stop / bin_s) - 1]
    return values


def _range(values: Sequence[float]) -> Mapping[str, float]:
    return {"mean": float(np.mean(values)), "min": min(values), "max": max(values)}
