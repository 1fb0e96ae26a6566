"""The named numbers of a case, as they are written to statistics.json and judged by the ledger."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.metrics.series import Array
from simcore.results.tree import Run, dataset_of

STARTUP_S = 2.0  # it decides verdicts, and is argued with the rulers: `startup` in claims/rulers.yaml
DIGITS = 9  # fewer than a double has: numpy, scipy and libm versions may differ in the last ones
QUANTILES = {"min": 0.0, "p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "max": 1.0}
SAMPLES = {
    "instant_kbps": metrics.instant_throughput_kbps,
    "system_kbps": metrics.system_throughput_kbps,
    "latency_ms": metrics.latency_ms,
    "jitter_ms": metrics.jitter_ms,
    "jitter_abs_ms": metrics.jitter_abs_ms,
    "delivery_ms": metrics.delivery_ms,
    "queue_smoothed_packets": metrics.queue_smoothed_packets,
}
COUNTERS = ("sent", "dropped", "received", "retransmitted")
MEASURED = {
    "kb": metrics.kilobytes,
    "loss_percent": metrics.loss_percent,
    "throughput_kbps": metrics.throughput_kbps,
    "goodput_kbps": metrics.goodput_kbps,
}
Statistics = dict[str, Any]
Phases = dict[str, tuple[float, float]]


def case_statistics(run: Run) -> Statistics:
    """Everything said in numbers about one run: `flow1`, `flow2`, ... and `total`."""
    ds = dataset_of(run)
    counts = case_counts(ds)
    for flow in ds["flow"].values:
        counts[f"flow{flow}"] |= _flow_series(ds, int(flow))
    start = float(ds["flow_start_s"].min())
    stop = float(ds["flow_stop_s"].max())
    phases = _phases(start, stop, metrics.end_s(ds))
    total = counts["total"]
    total["queue_packets"] = _by_time(metrics.queue_packets(ds), phases)
    total["instant_correlation"] = metrics.instant_correlation(ds, *phases["steady"])
    return plain(counts)


def case_counts(run: Run) -> Statistics:
    """The same without the series: what is counted, transferred and shared."""
    ds = dataset_of(run)
    measured = {name: metric(ds).values for name, metric in MEASURED.items()}
    flows = {
        f"flow{flow}": _flow_counts(ds, int(flow)) | {name: float(values[i]) for name, values in measured.items()}
        for i, flow in enumerate(ds["flow"].values)
    }
    total = _total_counts(ds)
    for name in ("payload_kb", "dropped_startup"):
        total[name] = sum(flow[name] for flow in flows.values())
    return plain(flows | {"total": total, "setup": metrics.setup(ds)})


def summary(values: Array, seconds: Array | None = None) -> dict[str, float | None]:
    """Quantiles, mean, sd (of the population) and last value; weighed by time if `seconds` are given.

    Without values, or without any time, every entry is None.
    """
    if seconds is not None:
        values, seconds = values[seconds > 0], seconds[seconds > 0]
    if values.size == 0:
        return dict.fromkeys([*QUANTILES, "mean", "sd", "last"])
    method: Literal["linear", "inverted_cdf"] = "linear" if seconds is None else "inverted_cdf"
    quantiles = np.quantile(values, list(QUANTILES.values()), weights=seconds, method=method)
    mean = np.average(values, weights=seconds)
    sd = np.sqrt(np.average((values - mean) ** 2, weights=seconds))
    return {**dict(zip(QUANTILES, quantiles, strict=True)), "mean": mean, "sd": sd, "last": values[-1]}


def write_statistics(numbers: Mapping[str, object], path: Path) -> Statistics:
    """Write numbers as a statistics.json, and return them as they are there: plain, and rounded."""
    written: Statistics = plain(numbers)
    write_json(written, path)
    return written


def write_json(content: object, path: Path) -> None:
    """Write so that equal results make equal files: sorted, with a final newline."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, sort_keys=True, allow_nan=False) + "\n", "utf-8")


def plain(content: Mapping[str, Any]) -> Statistics:
    """Plain Python values with floats rounded, in lists, too; NaN, which JSON lacks, becomes None."""
    return {key: _plain_value(value) for key, value in content.items()}


def _plain_value(content: object) -> object:
    if isinstance(content, Mapping):
        return plain(content)
    if isinstance(content, list | tuple | np.ndarray):
        return [_plain_value(value) for value in content]
    if isinstance(content, np.generic):
        content = content.item()
    if isinstance(content, float):
        return _rounded(content) if np.isfinite(content) else None
    return content


def _rounded(number: float) -> float:
    """Nine decimals (times are differences of seconds, known to 1e-12 ms) and nine significant digits.

    Bytes / 1024 are exact as they are, and the studies print six decimals of them.
    """
    if (number * 1024).is_integer():
        return number
    return float(f"{round(number, DIGITS):.{DIGITS}g}") + 0.0  # + 0.0: no negative zero


def _flow_counts(ds: xr.Dataset, flow: int) -> Statistics:
    place = ds.get_index("flow").get_loc(flow)
    drops = metrics.drop_times_s(ds, flow)
    return {
        "kind": str(ds.variables["flow_kind"].values[place]),
        **{name: int(ds.variables[name].values[place]) for name in COUNTERS},
        "first_drop_s": float(drops[0]) if drops.size else None,
        "last_drop_s": float(drops[-1]) if drops.size else None,
        "fast_retransmits": metrics.times_of(ds, flow, "fast_retransmit").size,
        "timeouts": metrics.times_of(ds, flow, "timeout").size,
        "setup": metrics.setup(ds, flow),
        "ack_bytes": _largest(ds["ack_bytes"].values[ds["ack_flow"].values == flow]),
        "payload_kb": metrics.payload_kb(ds, flow),
        **_flow_episodes(ds, flow, drops),
    }


def _flow_episodes(ds: xr.Dataset, flow: int, drops: Array) -> Statistics:
    phases = _flow_phases(ds, flow)
    start, settled = phases["startup"]
    gap = metrics.longest_gap(ds, flow)
    return {
        "dropped_startup": int(((drops >= start) & (drops < settled)).sum()),
        "loss_episodes_startup": metrics.loss_bursts(ds, flow, start, settled),
        "system_trough_kbps": metrics.system_trough_kbps(ds, flow),
        "mean_crossings_per_s": metrics.mean_crossings_per_s(ds, flow, *phases["steady"]),
        "longest_gap_s": gap and gap.length_s,
        "longest_gap_from_s": gap and gap.from_s,
        "longest_gap_until_s": gap and gap.until_s,
    }


def _largest(values: Array) -> int | None:
    return int(values.max()) if values.size else None


def _total_counts(ds: xr.Dataset) -> Statistics:
    sent, dropped = int(ds["sent"].sum()), int(ds["dropped"].sum())
    shares = metrics.share_percent(ds)
    return {
        "sent": sent,
        "dropped": dropped,
        "received": int(ds["received"].sum()),
        "kb": float(metrics.kilobytes(ds).sum()),
        "loss_percent": 100 * dropped / max(sent, 1),
        "throughput_kbps": metrics.total_throughput_kbps(ds),
        "utilisation_percent": metrics.utilisation_percent(ds),
        "jain": metrics.jain(ds),
        "share_percent": {f"flow{flow}": float(shares.sel(flow=flow)) for flow in ds["flow"].values},
    }


def _flow_series(ds: xr.Dataset, flow: int) -> Statistics:
    phases = _flow_phases(ds, flow)
    series = {name: _by_sample(metric(ds, flow), phases) for name, metric in SAMPLES.items()}
    series["queue_packets"] = _by_time(metrics.queue_packets(ds, flow), phases)
    if ds["flow_kind"].sel(flow=flow) == "tcp":
        series["rtt_ms"] = _by_sample(metrics.rtt_ms(ds, flow), phases)
        series["cwnd"] = _by_time(metrics.window(ds, flow)["cwnd"], phases)
    return series


def _flow_phases(ds: xr.Dataset, flow: int) -> Phases:
    start, stop = (float(ds[name].sel(flow=flow)) for name in ("flow_start_s", "flow_stop_s"))
    return _phases(start, stop, metrics.end_s(ds))


def _phases(start: float, stop: float, end: float) -> Phases:
    """The whole run, its first seconds and the rest until the stop."""
    settled = min(start + STARTUP_S, end)
    steady = (settled, max(settled, min(stop, end)))
    return {"whole": (start, end), "startup": (start, settled), "steady": steady}


def _by_sample(series: xr.DataArray, phases: Phases) -> Statistics:
    times = series["time_s"].values
    cuts = {name: np.searchsorted(times, phase) for name, phase in phases.items()}
    return {name: summary(series.values[first:last]) for name, (first, last) in cuts.items()}


def _by_time(steps: xr.DataArray, phases: Phases) -> Statistics:
    return {name: summary(*metrics.spells(steps, *phase)) for name, phase in phases.items()}
