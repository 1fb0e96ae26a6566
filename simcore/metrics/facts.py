"""Facts of a run's scenario that metrics and figures need."""

from functools import lru_cache
from typing import Any

import xarray as xr
import yaml


def end_s(ds: xr.Dataset) -> float:
    """When the run ended, in s."""
    return float(_scenario(ds.attrs["scenario"])["end_s"])


def rate_mbps(ds: xr.Dataset) -> float:
    """The bottleneck's rate in Mb/s."""
    return float(_scenario(ds.attrs["scenario"])["bottleneck"]["rate_mbps"])


def buffer_packets(ds: xr.Dataset) -> int | None:
    """Drop-tail's limit in packets; the one being sent counts, so one fewer can wait. None for other queues."""
    bottleneck = _scenario(ds.attrs["scenario"])["bottleneck"]
    return bottleneck.get("buffer_packets") if bottleneck["queue"] == "droptail" else None


def window_packets(ds: xr.Dataset, flow: int) -> int:
    """The window that the receiver of a TCP flow (numbered from 1) advertises, in packets."""
    return int(_scenario(ds.attrs["scenario"])["flows"][flow - 1]["window_packets"])


def packet_bytes(ds: xr.Dataset, flow: int) -> int:
    """The size of a flow's packets in bytes, headers not included."""
    return int(_scenario(ds.attrs["scenario"])["flows"][flow - 1]["packet_bytes"])


def setup(ds: xr.Dataset, flow: int | None = None) -> dict[str, float | str]:
    """What a scenario's file says of the bottleneck, or of one flow: plain numbers and words."""
    whole = _scenario(ds.attrs["scenario"])
    part = whole["bottleneck"] if flow is None else whole["flows"][flow - 1]
    return {name: value for name, value in part.items() if not isinstance(value, dict | list)}


@lru_cache(maxsize=128)
def _scenario(text: str) -> Any:
    """A run's scenario; parsing YAML takes longer than most metrics, and several ask."""
    return yaml.safe_load(text)
