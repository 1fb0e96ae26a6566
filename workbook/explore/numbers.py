"""The few numbers of a run that stand beside the charts; the definitions are those of `simcore.metrics`."""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from simcore import metrics


@dataclass(frozen=True)
class Row:
    """One number of each flow, as it is shown; NaN where it makes no sense."""

    name: str
    unit: str
    values: tuple[float, ...]
    digits: int = 0


def rows(ds: xr.Dataset) -> list[Row]:
    """What each flow sent, lost and got."""
    tcp = ds["flow_kind"].values == "tcp"
    return [
        _row("Throughput", "kb/s", metrics.throughput_kbps(ds)),
        _row("Goodput", "kb/s", metrics.goodput_kbps(ds)),
        _row("Sent", "packets", ds["sent"]),
        _row("Dropped", "packets", ds["dropped"]),
        _row("Loss", "%", metrics.loss_percent(ds), digits=2),
        _row("Latency", "ms", _mean_latency_ms(ds), digits=1),
        _row("Fast retransmits", "", ds["fast_retransmits"].where(tcp)),
        _row("Timeouts", "", ds["timeouts"].where(tcp)),
    ]


def summary(ds: xr.Dataset) -> list[tuple[str, str]]:
    """What the flows did together: name and value."""
    together = [("Link in use", f"{metrics.utilisation_percent(ds):.1f} %")]
    if ds.sizes["flow"] > 1:
        together.append(("Fairness (Jain)", f"{metrics.jain(metrics.throughput_kbps(ds)):.3f}"))
    return together


def _row(name: str, unit: str, values: xr.DataArray, digits: int = 0) -> Row:
    return Row(name, unit, tuple(float(value) for value in values.values), digits)


def _mean_latency_ms(ds: xr.Dataset) -> xr.DataArray:
    means = [latency.mean() if latency.size else np.nan for latency in _latencies_ms(ds)]
    return xr.DataArray(np.array(means, dtype=float), dims="flow")


def _latencies_ms(ds: xr.Dataset) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    return [metrics.latency_ms(ds, int(flow)).values for flow in ds["flow"].values]
