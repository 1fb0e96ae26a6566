"""What the paper says of slow start, congestion avoidance, fast retransmit and fast recovery, asked of one run."""

import numpy as np
import xarray as xr

from simcore.metrics.series import Array

Extremes = dict[str, float]


def rule_numbers(run: xr.Dataset, flow: int) -> dict[str, dict[str, Extremes]]:
    """How each rule changed the window of a TCP flow: by rule and measure the least and the greatest, in packets.

    A `growth` is that of one new ACK; `growth_per_window` that times the window, which is what a round trip brings.
    `left_of_window` is cwnd after the change over cwnd before it; `inflated_by` the duplicate ACKs added to it.
    """
    rows = run["update_flow"].values == flow
    cwnd, inflation = run["update_cwnd"].values[rows], run["update_inflation"].values[rows]
    names = np.array(run["update_cause"].attrs["flag_meanings"].split())
    cause = names[run["update_cause"].values[rows]]
    before = np.concatenate([cwnd[:1], cwnd[:-1]])
    repaired, ended = cause == "fast_retransmit", cause == "recovery_end"
    by_rule = {
        "slow_start": {"growth": (cwnd - before)[cause == "slow_start"]},
        "avoidance": {"growth_per_window": ((cwnd - before) * before)[cause == "congestion_avoidance"]},
        "fast_retransmit": {
            "after_duplicates": _duplicates(run, flow, run["update_s"].values[rows][repaired]),
            "left_of_window": (cwnd / before)[repaired],
            "window_left": cwnd[repaired],
            "inflated_by": inflation[repaired],
        },
        "recovery_end": {"inflated_by": inflation[ended]},
    }
    return {rule: _extremes(measures) for rule, measures in by_rule.items()}


def _duplicates(run: xr.Dataset, flow: int, when: Array) -> Array:
    """How often the ACK that arrived at each of these times had come before."""
    mine = (run["ack_flow"].values == flow) & np.isfinite(run["ack_arrived_s"].values)
    order = np.argsort(run["ack_arrived_s"].values[mine], kind="stable")
    arrived, number = run["ack_arrived_s"].values[mine][order], run["ack_number"].values[mine][order]
    last = np.searchsorted(arrived, when, "right") - 1
    duplicates: Array = last - np.searchsorted(number, number[last], "left")
    return duplicates


def _extremes(measures: dict[str, Array]) -> dict[str, Extremes]:
    there = {name: values for name, values in measures.items() if values.size}
    return {name: {"min": float(values.min()), "max": float(values.max())} for name, values in there.items()}
