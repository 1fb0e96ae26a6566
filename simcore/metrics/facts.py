"""Facts of a run's scenario that metrics and figures need."""

from functools import lru_cache
from typing import Any

import xarray as xr
import yaml

from simcore.metrics.series import of_run


@of_run
def end_s(ds: xr.Dataset) -> float:
    """When the run ended; of what another program recorded, the time of the last event.

    Parameters
    ----------
    ds : xarray.Dataset
        Any run.

    Returns
    -------
    float
        Unit: s.
    """
    if "scenario" not in ds.attrs:
        return float(ds.attrs["recorded_until_s"])
    return float(_scenario(ds.attrs["scenario"])["end_s"])


@of_run
def rate_mbps(ds: xr.Dataset) -> float:
    """The bottleneck's rate; NaN for what another program recorded, which does not tell it.

    Parameters
    ----------
    ds : xarray.Dataset
        Any run.

    Returns
    -------
    float
        Unit: Mb/s.
    """
    if "scenario" not in ds.attrs:
        return float("nan")
    return float(_scenario(ds.attrs["scenario"])["bottleneck"]["rate_mbps"])


@of_run
def buffer_packets(ds: xr.Dataset) -> int | None:
    """Drop-tail's limit at the bottleneck; the packet being sent counts, so one fewer can wait.

    Parameters
    ----------
    ds : xarray.Dataset
        Any run.

    Returns
    -------
    int or None
        Unit: packets. None for other queues, for a buffer in bytes, and for what another program recorded.
    """
    if "scenario" not in ds.attrs:
        return None
    bottleneck = _scenario(ds.attrs["scenario"])["bottleneck"]
    return bottleneck.get("buffer_packets") if bottleneck["queue"] == "droptail" else None


@of_run
def window_packets(ds: xr.Dataset, flow: int) -> int:
    """The window that the receiver of a TCP flow advertises.

    Parameters
    ----------
    ds : xarray.Dataset
        Any run.
    flow : int
        The flow's number, from 1.

    Returns
    -------
    int
        Unit: packets.
    """
    return int(_scenario(ds.attrs["scenario"])["flows"][flow - 1]["window_packets"])


@of_run
def packet_bytes(ds: xr.Dataset, flow: int) -> int:
    """The size of a flow's packets, headers not included.

    Parameters
    ----------
    ds : xarray.Dataset
        Any run.
    flow : int
        The flow's number, from 1.

    Returns
    -------
    int
        Unit: bytes.
    """
    return int(_scenario(ds.attrs["scenario"])["flows"][flow - 1]["packet_bytes"])


@of_run
def setup(ds: xr.Dataset, flow: int | None = None) -> dict[str, float | str]:
    """What the scenario says of the bottleneck, or of one flow.

    Parameters
    ----------
    ds : xarray.Dataset
        Any run.
    flow : int, optional
        The flow's number, from 1; without it, the bottleneck.

    Returns
    -------
    dict
        The plain numbers and words among its fields, under the names that the scenario file has.
    """
    whole = _scenario(ds.attrs["scenario"])
    part = whole["bottleneck"] if flow is None else whole["flows"][flow - 1]
    return {name: value for name, value in part.items() if not isinstance(value, dict | list)}


@lru_cache(maxsize=128)
def _scenario(text: str) -> Any:
    """A run's scenario; parsing YAML takes longer than most metrics, and several ask."""
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # seven times as fast, where PyYAML has it
