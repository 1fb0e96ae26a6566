"""Rounds against packets, property by property."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from simcore import Scenario, simulate
from workbook.chapters.competing_tahoe.measures import Measured
from workbook.chapters.competing_tahoe.numbers import Numbers, nested, spread
from workbook.chapters.competing_tahoe.packets import measure_packets, phases, round_s, segment_s, windows, with_buffer
from workbook.chapters.competing_tahoe.track import Array


@dataclass(frozen=True)
class Packets:
    """The two senders in the packet model: all phases, one sender alone, and that with every buffer."""

    trip_s: float
    segments_a_trip: float  # that the link can send
    windows: Array  # of the first run, in segments: a row a sender
    measured: dict[str, Array]  # by name; a value a phase
    alone: Measured
    by_buffer: dict[int, float]  # utilisation of one sender in percent

    def numbers(self) -> Numbers:
        """As written to statistics.json."""
        path = {"round_trip_ms": 1e3 * self.trip_s, "segments_per_round_trip": self.segments_a_trip}
        two = nested({name: spread(values) for name, values in self.measured.items()})
        by_buffer = {f"buffer_{buffer}": percent for buffer, percent in self.by_buffer.items()}
        return {"path": path, "two": two, "alone": nested(self.alone), "utilisation_percent": by_buffer}


def packets_of(scenario: Scenario, count: int, buffers: Sequence[int], engine: str) -> Packets:
    """Simulate the two senders in so many phases, and one of them with each buffer."""
    trip_s = round_s(scenario, engine)
    starts = phases(scenario, count, trip_s)
    runs = [simulate(start, engine) for start in starts]
    table = [measure_packets(run, start, trip_s) for run, start in zip(runs, starts, strict=True)]
    one = scenario.model_copy(update={"flows": scenario.flows[:1]})
    larger = {size: with_buffer(one, size) for size in buffers}
    alone = {size: measure_packets(simulate(each, engine), each, trip_s) for size, each in larger.items()}
    return Packets(
        trip_s,
        trip_s / segment_s(scenario),
        np.stack([windows(runs[0], flow, trip_s) for flow in (1, 2)]),
        {name: np.array([row[name] for row in table]) for name in table[0]},
        measure_packets(simulate(one, engine), one, trip_s),
        {size: measured["total.utilisation_percent"] for size, measured in alone.items()},
    )


def compared(numbers: Mapping[str, Numbers], single: xr.Dataset, packets: Packets) -> dict[str, dict[str, float]]:
    """By property what it is in rounds, in the literal reading, and in packets: means."""
    rounds, alone = numbers["competing-literal"], numbers["single"]
    percent = single["utilisation_percent"].sel(change="as_it_is").values
    by_buffer = list(packets.by_buffer.values())
    pair = {name: float(values.mean()) for name, values in packets.measured.items()}

    def both(of: Numbers, group: str, name: str, there: Mapping[str, float]) -> dict[str, float]:
        return {"rounds": of[group][name]["mean"], "packets": there[f"{group}.{name}"]}

    first = both(rounds, "total", "segments_per_round", pair)
    one = both(alone, "total", "segments_per_round", packets.alone)
    return {
        "sender 1's share of the two, in %": both(rounds, "sender1", "share_percent", pair),
        "highest spike after the start": both(rounds, "sender1", "spike_segments", pair),
        "round trips to the first loss": both(rounds, "sender1", "first_drop_round", pair),
        "round trips from cut to cut": both(rounds, "sender1", "cycle_rounds", pair),
        "segments lost, in %": both(rounds, "total", "loss_percent", pair),
        "two senders' utilisation, in %": both(rounds, "total", "utilisation_percent", pair),
        "one sender's utilisation, in %": both(alone, "total", "utilisation_percent", packets.alone),
        "round trips without a burst, in %": both(rounds, "sender1", "stalled_percent", pair),
        "two senders' rate over one's": {model: first[model] / one[model] for model in first},
        "utilisation, largest buffer over smallest": {
            "rounds": float(percent[-1] / percent[0]),
            "packets": by_buffer[-1] / by_buffer[0],
        },
    }


def said(properties: Mapping[str, Mapping[str, Any]], kept_within: float, kept: bool) -> str:
    """The properties that are kept, or those that are lost, with their numbers."""
    ratios = {name: values["packets"] / values["rounds"] for name, values in properties.items()}
    chosen = [name for name, ratio in ratios.items() if (1 / kept_within < ratio < kept_within) == kept]
    return "; ".join(f"{name} ({properties[name]['rounds']:.3g}, {properties[name]['packets']:.3g})" for name in chosen)
