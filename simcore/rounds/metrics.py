"""Metrics of the round model: functions of a Dataset. Senders are numbered from 1, rounds from 0."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from simcore.rounds.rules.sender import ABSENT, KINDS

Rounds = npt.NDArray[np.int64]
Table = Mapping[Hashable, xr.Variable]
"""The variables of a run by name: to read one there takes a tenth of the time that `ds[name]` takes."""


def acked_bytes(ds: xr.Dataset, *, all_sessions: bool = False) -> xr.DataArray:
    """Bytes acknowledged to each sender at the end, in its last session or in all of them.

    The ACKs of the last round are never read, and don't count.
    """
    return _per_sender(ds, _acked(ds.variables, all_sessions), "acked_bytes", "bytes acknowledged", "bytes")


def utilisation_percent(ds: xr.Dataset, *, all_sessions: bool = False, while_connected: bool = False) -> xr.DataArray:
    """Bytes acknowledged to each sender, in percent of the capacity of all rounds, or of those while it was connected.

    By default as the original prints it: the last session's bytes over all rounds.
    """
    values = utilisations(ds.variables, all_sessions=all_sessions, while_connected=while_connected)
    return _per_sender(ds, values, "utilisation_percent", "utilisation", "%")


def utilisations(table: Table, *, all_sessions: bool = False, while_connected: bool = False) -> npt.NDArray[np.float64]:
    """The values of `utilisation_percent` alone, a sender each, for thousands of short runs."""
    kinds = table["sent_kind"].values
    rounds = (kinds != ABSENT).sum(axis=1) if while_connected else kinds.shape[1]
    percent: npt.NDArray[np.float64] = (
        100 * _acked(table, all_sessions) / (int(table["capacity_bytes"].values) * rounds)
    )
    return percent


def _acked(table: Table, all_sessions: bool) -> Rounds:
    acked = table["acked_bytes"].values
    found: Rounds = np.maximum(np.diff(acked, prepend=0), 0).sum(axis=1) if all_sessions else acked[:, -1]
    return found


def rounds_of(ds: xr.Dataset, sender: int, kind: str) -> Rounds:
    """The rounds in which a sender sent a `kind`: burst, one_byte, retransmission, keep_alive; or was absent."""
    return np.flatnonzero(_of(ds, sender, "sent_kind") == KINDS.index(kind))


def drop_rounds(ds: xr.Dataset, sender: int) -> Rounds:
    """The rounds in which the router dropped segments of a sender."""
    return np.flatnonzero(_of(ds, sender, "dropped_segments"))


def avoidance_begins(ds: xr.Dataset, sender: int) -> Rounds:
    """The rounds in which a sender, having read its ACKs, was newly in congestion avoidance."""
    return np.flatnonzero(_step_of_avoidance(ds, sender) > 0)


def avoidance_ends(ds: xr.Dataset, sender: int) -> Rounds:
    """The rounds in which a sender was no longer in congestion avoidance: each ends a cycle."""
    return np.flatnonzero(_step_of_avoidance(ds, sender) < 0)


def _step_of_avoidance(ds: xr.Dataset, sender: int) -> npt.NDArray[np.int8]:
    present = _of(ds, sender, "sent_kind") != ABSENT
    avoiding = (present & ~_of(ds, sender, "slow_start")).astype(np.int8)
    step: npt.NDArray[np.int8] = np.diff(avoiding, prepend=np.int8(0))
    return step


def _of(ds: xr.Dataset, sender: int, name: str) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = ds.variables[name].values[sender - 1]  # many times faster than by label
    return values


def _per_sender(ds: xr.Dataset, values: npt.NDArray[Any], name: str, long_name: str, units: str) -> xr.DataArray:
    attrs = {"long_name": long_name, "units": units}
    return xr.DataArray(values, {"sender": ds["sender"]}, "sender", name, attrs)
