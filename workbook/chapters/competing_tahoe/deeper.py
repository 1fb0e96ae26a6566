"""Utilisation against the size of the buffer, and why it falls: one sender with rules changed, two as they are."""

from typing import Any, Final

import numpy as np
import xarray as xr

from simcore.rounds import RoundsScenario, simulate_rounds
from simcore.rounds.metrics import acked_bytes
from workbook.chapters.competing_tahoe.numbers import Numbers, spread
from workbook.chapters.competing_tahoe.runs import utilisations
from workbook.chapters.competing_tahoe.settings import BufferSweep, Settings
from workbook.chapters.competing_tahoe.track import Track
from workbook.chapters.statistics import plain

CHANGES: Final[dict[str, dict[str, bool]]] = {
    "as_it_is": {},
    "without_eighth": {"eighth_added": False},
    "go_back_n": {"go_back_n": True},
    "both": {"eighth_added": False, "go_back_n": True},
    "holes_skipped": {"holes_skipped": True},
}
MEASURED: Final = ("bytes", "utilisation_percent", "segments_per_round", "capacity_segments")
CYCLE: Final = ("cycle_rounds", "stalled_rounds", "repairs", "new_segments", "spike_segments")


def of_one_sender(single: RoundsScenario, settings: Settings) -> xr.Dataset:
    """Simulate one sender with every buffer, under the original's rules and with some of them changed."""
    sweep = settings.sweep
    base = single.model_copy(update={"rounds": sweep.single_rounds, "mismatch": sweep.mismatch})
    values = np.array(
        [
            [_measured(base.model_copy(update=change | {"buffer_segments": size})) for size in sweep.buffers]
            for change in CHANGES.values()
        ]
    )
    coordinates = {"change": list(CHANGES), "buffer": sweep.buffers}
    names = (*MEASURED, *CYCLE)
    return xr.Dataset({name: (list(coordinates), values[..., i]) for i, name in enumerate(names)}, coordinates)


def of_mismatches(single: RoundsScenario, settings: Settings) -> dict[int, int]:
    """Bytes that one sender gets through, by mismatch."""
    sweep = settings.mismatches
    base = single.model_copy(update={"rounds": settings.sweep.single_rounds, "buffer_segments": sweep.buffer})
    runs = {value: simulate_rounds(base.model_copy(update={"mismatch": value}), "compiled") for value in sweep.values}
    return {value: int(acked_bytes(run)[0]) for value, run in runs.items()}


def of_two_senders(scenarios: dict[str, RoundsScenario], settings: Settings) -> xr.DataArray:
    """Simulate two senders with every buffer and seed: their utilisations, by reading."""
    sweep, seeds = settings.sweep, settings.seeds.all
    fixed = {"mismatch": sweep.mismatch, "rounds": sweep.rounds}
    percent = [
        [utilisations(each.model_copy(update=fixed | {"buffer_segments": size}), seeds) for size in sweep.buffers]
        for each in scenarios.values()
    ]
    coordinates = {"reading": list(scenarios), "buffer": sweep.buffers, "seed": list(seeds), "sender": [1, 2]}
    return xr.DataArray(percent, coordinates, list(coordinates))


def deeper_numbers(single: xr.Dataset, two: xr.DataArray, mismatches: dict[int, int], sweep: BufferSweep) -> Numbers:
    """`single.as_it_is.buffer_6.utilisation_percent`, `two.literal.sender1.buffer_6.mean`, ..."""
    buffers = [int(buffer) for buffer in single["buffer"]]
    numbers: Numbers = {
        "single": {str(change): _of_change(single.sel(change=change), buffers) for change in single["change"].values},
        "two": {str(reading): _of_reading(two.sel(reading=reading), buffers) for reading in two["reading"].values},
        "mismatch": {f"m{mismatch}": count for mismatch, count in mismatches.items()},
        "setup": {"mismatch": sweep.mismatch, "smallest": sweep.buffers[0], "largest": sweep.buffers[-1]},
    }
    numbers["mismatch"] |= {"least": min(mismatches.values()), "greatest": max(mismatches.values())}
    return plain(numbers)


def _of_change(ds: xr.Dataset, buffers: list[int]) -> Numbers:
    at = {f"buffer_{b}": {name: float(ds[name].sel(buffer=b)) for name in ds.data_vars} for b in buffers}
    percent = ds["utilisation_percent"]
    ends = {name: float(ds[name][-1] / ds[name][0]) for name in ("bytes", "capacity_segments")}
    return at | {
        "percent": {"min": float(percent.min()), "max": float(percent.max())},
        "times_as_many_bytes": ends["bytes"],
        "times_as_much_capacity": ends["capacity_segments"],
        "correlation": float(np.corrcoef(buffers, percent)[0, 1]),
        "fixed_percent": {f"buffer_{b}": float(_of_largest(ds).sel(buffer=b)) for b in (buffers[0], buffers[-1])},
    }


def _of_largest(ds: xr.Dataset) -> xr.DataArray:
    """Utilisation as a percentage of the largest buffer's capacity: what it would be were the link what is used."""
    return ds["utilisation_percent"] * ds["capacity_segments"] / ds["capacity_segments"].max()


def _of_reading(percent: xr.DataArray, buffers: list[int]) -> Numbers:
    numbers: Numbers = {}
    for sender in (1, 2):
        of_sender = percent.sel(sender=sender)
        numbers[f"sender{sender}"] = {f"buffer_{size}": spread(of_sender.sel(buffer=size).values) for size in buffers}
        numbers[f"sender{sender}"]["correlation"] = float(np.corrcoef(buffers, of_sender.mean("seed"))[0, 1])
    return numbers


def _measured(scenario: RoundsScenario) -> list[float]:
    """MEASURED of a run, and CYCLE of one of its steady cycles."""
    run = simulate_rounds(scenario, "compiled")
    total, mss, track = int(acked_bytes(run)[0]), int(run["mss_bytes"]), Track(run, 1)
    per_round = total / mss / scenario.rounds
    capacity = int(run["capacity_bytes"]) / mss
    return [float(total), float(run["utilisation_percent"][0]), per_round, capacity, *_steady_cycle(track)]


def _steady_cycle(track: Track) -> list[Any]:
    """Rounds, rounds without a new segment, repairs, new segments and highest window of a late cycle."""
    begin, end = track.begins[-3:-1]
    within = slice(int(begin), int(end))
    bursts = track.bursts[(track.bursts >= begin) & (track.bursts < end)]
    repairs = ((track.repairs >= begin) & (track.repairs < end)).sum()
    spike = track.windows("cwnd")[within].max()
    return [end - begin, end - begin - bursts.size, repairs, track.values("segments")[bursts].sum(), spike]
