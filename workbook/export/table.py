"""The table of a run: one line per flow, and the total."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simcore.results.journeys import Variables, latencies_ms, rates_kbps, total_rate_kbps

COLUMNS = ("flow", "sent", "dropped", "received", "KB", "loss %", "kb/s", "latency ms", "jitter ms")
Row = tuple[str, *tuple[float, ...]]
FORMATS = ("", ".0f", ".0f", ".0f", ".2f", ".2f", ".1f", ".2f", ".2f")
SENDINGS, ARRIVALS = ("packet_sent_s",), ("packet_arrived_s",)  # a capture may know only one of them


def flow_table(run: Variables, end_s: float) -> str:
    """Packets sent, dropped and received, KB received, loss, throughput, mean latency and mean size of the jitter.

    "-" stands where nothing was received to take a mean of, and for what a file that was read does not tell.
    """
    return aligned([COLUMNS, *map(formatted, [*_flow_rows(run, end_s), _total_row(run, end_s)])])


def _flow_rows(run: Variables, end_s: float) -> list[Row]:
    names, flows = run["flow_name"].values.tolist(), run["flow"].values.tolist()
    rates = [np.nan] * len(flows)
    if _is_known(run, ARRIVALS):
        rates = rates_kbps(run, run["received_bytes"].values, end_s).tolist()
    return [(name, *_numbers(run, [flow], rate)) for name, flow, rate in zip(names, flows, rates, strict=True)]


def _total_row(run: Variables, end_s: float) -> Row:
    rate = total_rate_kbps(run, end_s) if _is_known(run, ARRIVALS) else np.nan
    return ("total", *_numbers(run, run["flow"].values.tolist(), rate))


def _numbers(run: Variables, flows: list[int], rate_kbps: float) -> tuple[float, ...]:
    """What is known of some flows together, NaN for what is not."""
    rows = np.isin(run["flow"].values, flows)
    sent, dropped, received, size = (
        float(run[name].values[rows].sum()) if name in run else np.nan
        for name in ("sent", "dropped", "received", "received_bytes")
    )
    latencies = [latencies_ms(run, flow) for flow in flows] if _is_known(run, (*SENDINGS, *ARRIVALS)) else []
    return (
        sent,
        dropped,
        received,
        size / 1024,
        100 * dropped / max(sent, 1.0),
        rate_kbps,
        _mean(latencies),
        _mean([np.abs(np.diff(latency)) for latency in latencies]),
    )


def _is_known(run: Variables, names: Sequence[str]) -> bool:
    return all(name in run for name in names)


def _mean(series: Sequence[NDArray[np.float64]]) -> float:
    """The mean over all packets of all series; NaN if there are none."""
    values = np.concatenate([np.zeros(0), *series])
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
