"""The table of a run: one line per flow, and the total."""

from collections.abc import Sequence

import numpy as np
import xarray as xr

from simcore import metrics

COLUMNS = ("flow", "sent", "dropped", "received", "KB", "loss %", "kb/s", "latency ms", "jitter ms")
Row = tuple[str, *tuple[float, ...]]
FORMATS = ("", ".0f", ".0f", ".0f", ".2f", ".2f", ".1f", ".2f", ".2f")
SENDINGS, ARRIVALS = ("packet_sent_s",), ("packet_arrived_s",)  # a capture may know only one of them


def flow_table(ds: xr.Dataset) -> str:
    """Packets sent, dropped and received, KB received, loss, throughput, mean latency and mean size of the jitter.

    "-" stands where nothing was received to take a mean of, and for what a file that was read does not tell.
    """
    return aligned([COLUMNS, *map(formatted, [*_flow_rows(ds), _total_row(ds)])])


def _flow_rows(ds: xr.Dataset) -> list[Row]:
    rates = metrics.throughput_kbps(ds).values.tolist() if _is_known(ds, ARRIVALS) else [np.nan] * ds.sizes["flow"]
    names, flows = ds["flow_name"].values.tolist(), ds["flow"].values.tolist()
    return [(name, *_numbers(ds, [flow], rate)) for name, flow, rate in zip(names, flows, rates, strict=True)]


def _total_row(ds: xr.Dataset) -> Row:
    rate = metrics.total_throughput_kbps(ds) if _is_known(ds, ARRIVALS) else np.nan
    return ("total", *_numbers(ds, ds["flow"].values.tolist(), rate))


def _numbers(ds: xr.Dataset, flows: list[int], rate_kbps: float) -> tuple[float, ...]:
    """What is known of some flows together, NaN for what is not."""
    rows = np.isin(ds["flow"].values, flows)  # not .sel, which imports dask
    sent, dropped, received, size = (
        float(ds[name].values[rows].sum()) if name in ds else np.nan
        for name in ("sent", "dropped", "received", "received_bytes")
    )
    followed = flows if _is_known(ds, (*SENDINGS, *ARRIVALS)) else []
    return (
        sent,
        dropped,
        received,
        size / 1024,
        100 * dropped / max(sent, 1.0),
        rate_kbps,
        _mean([metrics.latency_ms(ds, flow) for flow in followed]),
        _mean([metrics.jitter_abs_ms(ds, flow) for flow in followed]),
    )


def _is_known(ds: xr.Dataset, names: Sequence[str]) -> bool:
    return all(name in ds for name in names)


def _mean(series: Sequence[xr.DataArray]) -> float:
    """The mean over all packets of all series; NaN if there are none."""
    values = np.concatenate([np.zeros(0), *(one.values for one in series)])
    return float(values.mean()) if values.size else np.nan


def formatted(row: Row, formats: Sequence[str] = FORMATS) -> list[str]:
    """The cells of a row; "-" for what is not known."""
    return ["-" if value != value else format(value, form) for value, form in zip(row, formats, strict=True)]


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    )
    return "\n".join("  ".join(line) for line in lines)
