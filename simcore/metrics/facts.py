"""Facts of a run's scenario that metrics and figures need: any run will do.

What another program recorded has no scenario: of it, `setup`, `window_packets` and `packet_bytes` raise KeyError.
"""

from functools import lru_cache
from math import nan
from typing import Any

import xarray as xr
import yaml

from simcore.metrics.series import of_run


@of_run
def end_s(ds: xr.Dataset) -> float:
    """When the run ended, in s; of what another program recorded, the time of the last event. Any run will do."""
    return float(_scenario(ds.attrs["scenario"])["end_s"] if _has_scenario(ds) else ds.attrs["recorded_until_s"])


@of_run
def rate_mbps(ds: xr.Dataset) -> float:
    """The bottleneck's rate in Mb/s; NaN for what another program recorded, which doesn't tell it. Any run will do."""
    return float(_part(ds)["rate_mbps"]) if _has_scenario(ds) else nan


@of_run
def buffer_packets(ds: xr.Dataset) -> int | None:
    """Drop-tail's limit at the bottleneck, in packets; the packet being sent counts, so one fewer can wait.

    None for other queues, for a buffer in bytes, and for what another program recorded. Any run will do.
    """
    return _part(ds).get("buffer_packets") if _has_scenario(ds) and _part(ds)["queue"] == "droptail" else None


@of_run
def window_packets(ds: xr.Dataset, flow: int) -> int:
    """The window that the receiver of a TCP flow advertises, in packets. Any run will do."""
    return int(_part(ds, flow)["window_packets"])


@of_run
def packet_bytes(ds: xr.Dataset, flow: int) -> int:
    """The size of a flow's packets in bytes, headers not included. Any run will do."""
    return int(_part(ds, flow)["packet_bytes"])


@of_run
def setup(ds: xr.Dataset, flow: int | None = None) -> dict[str, float | str]:
    """What the scenario says of the bottleneck, or of one flow. Any run will do.

    Parameters
    ----------
    flow : int, optional
        The flow's number, from 1; without it, the bottleneck.

    Returns
    -------
    dict
        The plain numbers and words among its fields, under the names that the scenario file has.
    """
    return {name: value for name, value in _part(ds, flow).items() if not isinstance(value, dict | list)}


def _has_scenario(ds: xr.Dataset) -> bool:
    return "scenario" in ds.attrs


def _part(ds: xr.Dataset, flow: int | None = None) -> Any:
    whole = _scenario(ds.attrs["scenario"])
    return whole["bottleneck"] if flow is None else whole["flows"][flow - 1]


@lru_cache(maxsize=128)
def _scenario(text: str) -> Any:
    """A run's scenario; parsing YAML takes longer than most metrics, and several ask."""
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # seven times as fast, where PyYAML has it
