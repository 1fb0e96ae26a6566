"""From the log of a run to an xarray Dataset that says what it is and where it came from."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from simcore.results.provenance import provenance
from simcore.rounds.log import Log, Row
from simcore.rounds.metrics import utilisations
from simcore.rounds.rules.router import READINGS
from simcore.rounds.rules.sender import KINDS, LOSSES
from simcore.rounds.scenario import RoundsScenario

Array = npt.NDArray[Any]
Table = dict[Hashable, xr.Variable]
Columns = Mapping[str, Array]

# Variables with the dimensions sender and round: meaning and units.
SERIES = {
    "cwnd": ("congestion window", "bytes"),
    "effective_window": ("effective window", "bytes"),
    "flight_size": ("flight size", "bytes"),
    "ssthresh": ("slow start threshold", "bytes"),
    "advertised_window": ("window advertised by the receiver", "bytes"),
    "acked_bytes": ("bytes acknowledged in the present session", "bytes"),
    "slow_start": ("in slow start", "1"),
    "sent_kind": ("kind of what was sent", "1"),
    "loss": ("loss told by the acknowledgements of the round before", "1"),
    "segments": ("segments sent", "segments"),
    "sent_bytes": ("bytes sent", "bytes"),
    "dropped_segments": ("segments dropped by the router", "segments"),
    "dropped_bytes": ("bytes dropped by the router", "bytes"),
    "outdrawn_segments": ("segments dropped because chance put the other sender first", "segments"),
    "in_order_bytes": ("bytes received in order in the present session", "bytes"),
    "held_bytes": ("bytes held by the receiver, out of order", "bytes"),
    "old_bytes": ("bytes received again and ignored in the present session", "bytes"),
}
FLAGS = {"sent_kind": KINDS, "loss": LOSSES}
SPECIAL: Mapping[str, npt.DTypeLike] = {"slow_start": np.bool_, "sent_kind": np.uint8, "loss": np.uint8}
TYPES: Mapping[str, npt.DTypeLike] = {name: SPECIAL.get(name, np.int64) for name in SERIES}


def build(scenario: RoundsScenario, columns: Columns) -> xr.Dataset:
    """The Dataset of a finished run, from a row a sender and a column a round of all that is in SERIES.

    While a sender is absent its values are 0.
    """
    coordinates = {
        "sender": ("sender", np.arange(1, len(scenario.senders) + 1), {"long_name": "sender", "units": "1"}),
        "round": ("round", np.arange(scenario.rounds), {"long_name": "round trip", "units": "1"}),
    }
    series: Table = {name: xr.Variable(("sender", "round"), columns[name], _attrs(name)) for name in SERIES}
    table = series | _constants(scenario)
    utilisation = xr.Variable("sender", utilisations(table), {"long_name": "utilisation", "units": "%"})
    table["utilisation_percent"] = utilisation
    return xr.Dataset(table, coordinates, provenance(scenario, "rounds"))


def columns_of(scenario: RoundsScenario, log: Log) -> Columns:
    """What the processes told, as `build` takes it."""
    shape = (len(scenario.senders), scenario.rounds)
    columns: dict[str, Array] = {name: np.zeros(shape, dtype) for name, dtype in TYPES.items()}
    kinds: tuple[Sequence[Sequence[Row]], ...] = (log.sent, log.relayed, log.received)
    for kind in kinds:
        for sender, rows in enumerate(kind):
            if rows:
                _fill(columns, sender, rows[0]._fields, np.array(rows, np.int64))
    return columns


def _fill(columns: dict[str, Array], sender: int, fields: tuple[str, ...], rows: Array) -> None:
    """Enter rows, whose first field is the round, under the names of their other fields."""
    for name, values in zip(fields[1:], rows.T[1:], strict=True):
        columns[name][sender, rows[:, 0]] = values


def _attrs(name: str) -> dict[str, object]:
    long_name, units = SERIES[name]
    if name not in FLAGS:
        return {"long_name": long_name, "units": units}
    flags = FLAGS[name]  # CF conventions, section 3.5
    codes = np.arange(len(flags), dtype=np.uint8)
    return {"long_name": long_name, "units": units, "flag_values": codes, "flag_meanings": " ".join(flags)}


def _constants(scenario: RoundsScenario) -> Table:
    capacity = READINGS[scenario.reading].capacity_segments(scenario.buffer_segments, scenario.mismatch)
    starts = [sender.start_round for sender in scenario.senders]
    names = [f"Tahoe {number}" for number in range(1, len(starts) + 1)]
    potential = {"long_name": "bytes a round that utilisation is a percentage of", "units": "bytes"}
    return {
        "sender_name": xr.Variable("sender", names, {"long_name": "name of the sender", "units": "1"}),
        "start_round": xr.Variable("sender", starts, {"long_name": "first round in which it sends", "units": "1"}),
        "mss_bytes": xr.Variable((), scenario.mss_bytes, {"long_name": "size of a whole segment", "units": "bytes"}),
        "capacity_bytes": xr.Variable((), capacity * scenario.mss_bytes, potential),
    }
