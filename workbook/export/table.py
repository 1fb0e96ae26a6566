"""The table of a run: one line per flow, and the total."""

from collections.abc import Sequence

import numpy as np
import xarray as xr

from simcore import metrics

COLUMNS = ("flow", "sent", "dropped", "received", "KB", "loss %", "kb/s", "latency ms", "jitter ms")
Row = tuple[str, int, int, int, float, float, float, float, float]
FORMATS = ("", "d", "d", "d", ".2f", ".2f", ".1f", ".2f", ".2f")


def flow_table(ds: xr.Dataset) -> str:
    """Packets sent, dropped and received, KB received, loss, throughput, mean latency and mean size of the jitter.

    "-" stands where nothing was received to take a mean of.
    """
    rows = [_flow_row(ds, int(flow)) for flow in ds["flow"].values]
    return _aligned([COLUMNS, *map(_formatted, [*rows, _total_row(ds)])])


def _flow_row(ds: xr.Dataset, flow: int) -> Row:
    def of_flow(per_flow: xr.DataArray) -> float:
        return float(per_flow.sel(flow=flow))

    return (
        str(ds["flow_name"].sel(flow=flow).item()),
        int(ds["sent"].sel(flow=flow)),
        int(ds["dropped"].sel(flow=flow)),
        int(ds["received"].sel(flow=flow)),
        of_flow(metrics.kilobytes(ds)),
        of_flow(metrics.loss_percent(ds)),
        of_flow(metrics.throughput_kbps(ds)),
        _mean([metrics.latency_ms(ds, flow)]),
        _mean([abs(metrics.jitter_ms(ds, flow))]),
    )


def _total_row(ds: xr.Dataset) -> Row:
    sent, dropped = int(ds["sent"].sum()), int(ds["dropped"].sum())
    flows = [int(flow) for flow in ds["flow"].values]
    return (
        "total",
        sent,
        dropped,
        int(ds["received"].sum()),
        float(metrics.kilobytes(ds).sum()),
        100 * dropped / sent if sent else 0.0,
        metrics.total_throughput_kbps(ds),
        _mean([metrics.latency_ms(ds, flow) for flow in flows]),
        _mean([abs(metrics.jitter_ms(ds, flow)) for flow in flows]),
    )


def _mean(series: Sequence[xr.DataArray]) -> float:
    """The mean over all packets of all series; NaN if there are none."""
    values = np.concatenate([one.values for one in series])
    return float(values.mean()) if values.size else float("nan")


def _formatted(row: Row) -> list[str]:
    return ["-" if value != value else format(value, form) for value, form in zip(row, FORMATS, strict=True)]


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    )
    return "\n".join("  ".join(line) for line in lines)
