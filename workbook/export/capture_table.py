"""The table of what a capture tells beyond the table of a run."""

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.results.journeys import KBIT_PER_BYTE
from workbook.export.table import aligned, formatted

COLUMNS = ("flow", "sent again", "dup ACKs", "KB acked", "kb/s acked", "least RTT", "mean RTT ms", "most in flight")
FORMATS = ("", ".0f", ".0f", ".2f", ".1f", ".2f", ".2f", ".0f")


def capture_table(ds: xr.Dataset) -> str:
    """Retransmissions, duplicate ACKs, payload acknowledged, round-trip times and flight size of each flow.

    "-" stands for what the point of the capture does not tell.
    """
    return aligned([COLUMNS, *(_row(ds, int(flow)) for flow in ds["flow"].values)])


def _row(ds: xr.Dataset, flow: int) -> list[str]:
    values = ds.sel(flow=flow)
    is_tcp = values["flow_kind"].item() == "tcp"
    acked, seconds = values["acknowledged_bytes"].item(), float(values["flow_stop_s"] - values["flow_start_s"])
    numbers = (
        values["retransmitted"].item(),
        values["duplicate_acks"].item() if is_tcp else np.nan,
        acked / 1024,
        KBIT_PER_BYTE * acked / seconds if seconds else np.nan,
        *_of_round_trips(ds, flow, is_tcp and "ack_arrived_s" in ds),
    )
    way = f"{values['flow_source'].item()} > {values['flow_destination'].item()}"
    return formatted((f"{values['flow_name'].item()}: {way}", *numbers), FORMATS)


def _of_round_trips(ds: xr.Dataset, flow: int, at_sender: bool) -> tuple[float, float, float]:
    """The least and the mean round-trip time in ms, and the most in flight, as a sender sees them."""
    if not at_sender:
        return (np.nan,) * 3
    rtt, flight = metrics.rtt_ms(ds, flow).values, metrics.flight_size_packets(ds, flow).values
    least, mean = (rtt.min(), rtt.mean()) if rtt.size else (np.nan, np.nan)
    return float(least), float(mean), float(flight.max())
