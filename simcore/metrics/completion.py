"""When a transfer of so many bytes was done."""

import numpy as np
import xarray as xr

from simcore.metrics.facts import setup
from simcore.metrics.series import of_run, per_flow


@of_run
def completion_s(ds: xr.Dataset) -> xr.DataArray:
    """Time in s from each flow's start until the ACK for its last byte reached the sender.

    NaN for a transfer that was not done, and for a flow without `transfer_bytes`. Where no flow has them, any run does.
    """
    return per_flow(ds, [_completion_s(ds, int(flow)) for flow in ds["flow"].values], "completion_s", "completion", "s")


def _completion_s(ds: xr.Dataset, flow: int) -> float:
    given = setup(ds, flow)
    if "transfer_bytes" not in given:
        return float("nan")
    last = -(-int(given["transfer_bytes"]) // int(given["packet_bytes"]))
    done = (ds["ack_flow"].values == flow) & (ds["ack_number"].values >= last)
    times = ds["ack_arrived_s"].values[done]
    times = times[~np.isnan(times)]
    return float(times.min() - ds["flow_start_s"].sel(flow=flow)) if times.size else float("nan")
