"""The few numbers of a run that stand beside the charts; the definitions are those of `simcore.metrics`."""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.metrics.series import Array


@dataclass(frozen=True)
class Row:
    """One number of each flow, as it is shown; NaN where it makes no sense."""

    name: str
    unit: str
    values: tuple[float, ...]
    digits: int = 0


@dataclass(frozen=True)
class Numbers:
    """What each flow sent, lost and got, and what they did together: name and value."""

    rows: list[Row]
    together: list[tuple[str, str]]


def numbers(ds: xr.Dataset) -> Numbers:
    """The numbers of a run."""
    tcp = ds["flow_kind"].values == "tcp"
    throughput = metrics.throughput_kbps(ds)
    rows = [
        _row("Throughput", "kb/s", throughput),
        _row("Goodput", "kb/s", metrics.goodput_kbps(ds)),
        _row("Sent", "packets", ds["sent"]),
        _row("Dropped", "packets", ds["dropped"]),
        _row("Loss", "%", metrics.loss_percent(ds), digits=2),
        _row("Latency", "ms", [_mean(metrics.latency_ms(ds, int(flow)).values) for flow in ds["flow"].values], 1),
        _row("Fast retransmits", "", np.where(tcp, ds["fast_retransmits"].values, np.nan)),
        _row("Timeouts", "", np.where(tcp, ds["timeouts"].values, np.nan)),
    ]
    together = [("Link in use", f"{metrics.utilisation_percent(ds):.1f} %")]
    if len(tcp) > 1:
        together.append(("Fairness (Jain)", f"{metrics.jain_index(throughput):.3f}"))
    return Numbers(rows, together)


def _row(name: str, unit: str, values: object, digits: int = 0) -> Row:
    return Row(name, unit, tuple(np.asarray(values, dtype=float).tolist()), digits)


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size else float("nan")
