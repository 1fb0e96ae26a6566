"""The numbers of one run. A number that isn't there, as the round of what never happened, is NaN."""

from collections.abc import Callable
from functools import cache

import numpy as np
import xarray as xr

from simcore.rounds.metrics import utilisations
from simcore.rounds.rules.sender import ABSENT, NO_LOSS
from workbook.chapters.competing_tahoe.track import Array, Track
from workbook.ledger.rulers import Ruler, load_rulers
from workbook.paths import REPO

Measured = dict[str, float | bool]  # by dotted name; True or False for what did or didn't happen
Measure = Callable[[xr.Dataset], Measured]
NEVER = float("nan")


def tracks(run: xr.Dataset) -> list[Track]:
    """The senders of a run."""
    return [Track(run, int(sender)) for sender in run["sender"].values]


def measure(run: xr.Dataset) -> Measured:
    """What every run is asked, for each sender and for both together."""
    senders = tracks(run)
    return {
        **{f"sender{track.sender}.{name}": value for track in senders for name, value in _of_sender(track).items()},
        **_utilisations(run),
        **{f"total.{name}": value for name, value in _of_all(senders).items()},
    }


def _utilisations(run: xr.Dataset) -> Measured:
    """In percent, as printed and of all sessions; and segments acknowledged in a round, over all rounds."""
    printed = run.variables["utilisation_percent"].values
    everything = utilisations(run.variables, all_sessions=True)
    through = everything / 100 * float(run.variables["capacity_bytes"].values / run.variables["mss_bytes"].values)
    counted = {"utilisation_percent": printed, "all_sessions_percent": everything, "segments_per_round": through}
    by_sender = {
        f"sender{sender}.{name}": float(value)
        for name, values in counted.items()
        for sender, value in enumerate(values, start=1)
    }
    totals = {f"total.{name}": float(counted[name].sum()) for name in ("utilisation_percent", "segments_per_round")}
    return by_sender | totals | {"sender1.share_percent": 100 * float(through[0] / through.sum())}


def _of_sender(track: Track) -> Measured:
    spikes = track.spikes()
    present = track.values("sent_kind") != ABSENT
    return {
        "first_drop_round": first(track.drops),
        "first_repair_round": first(track.repairs),
        "avoidance_round": first(track.begins),
        "cycles": float(spikes.size),
        "cycle_rounds": float(np.diff(track.ends).mean()) if track.ends.size > 1 else NEVER,
        "spike_segments": highest(spikes),
        "spikes_differ_segments": float(np.ptp(spikes[1:])) if spikes.size > 1 else NEVER,
        "stalled_percent": 100 * float(track.stalled.sum() / present.sum()),
        "losses_per_100_rounds": losses_per_100_rounds(track),
    }


def _of_all(senders: list[Track]) -> Measured:
    """Of both together; the least number of segments, of the rounds in which both are there."""
    there = np.logical_and.reduce([track.values("sent_kind") != ABSENT for track in senders])
    segments = _all(senders, "segments")[there]
    return {
        "least_segments": float(segments.min()),
        "loss_percent": 100 * float(_all(senders, "dropped_segments").sum() / _all(senders, "segments").sum()),
        "losses_per_100_rounds": sum(losses_per_100_rounds(track) for track in senders),
        "window_growth_segments": window_growth(senders, there),
    }


def losses_per_100_rounds(track: Track) -> float:
    """How often a sender reacts to a loss, in the rounds in which it is there."""
    present = track.values("sent_kind") != ABSENT
    return 100 * float((track.values("loss") != NO_LOSS).sum() / present.sum())


def _all(senders: list[Track], name: str) -> Array:
    """A series added up over the senders."""
    total: Array = np.sum([track.values(name) for track in senders], axis=0)
    return total


def window_growth(senders: list[Track], there: Array) -> float:
    """By how many segments the windows of all grow in a round in which none of them stalls or reacts to a loss."""
    windows = np.sum([track.windows("cwnd") for track in senders], axis=0)
    busy = there & ~np.logical_or.reduce([track.stalled for track in senders])
    grown = np.diff(windows)[busy[1:] & busy[:-1]]
    return float(grown.mean()) if grown.size else NEVER


def first(rounds: Array) -> float:
    """The first of some rounds."""
    return float(rounds[0]) if rounds.size else NEVER


def highest(spikes: Array) -> float:
    """The highest of some spikes."""
    return float(spikes.max()) if spikes.size else NEVER


def are_similar(height: float, other: float) -> bool:
    """Whether two spikes are, as the ledger understands the word."""
    return _similar().admits(_similar().measure(height, other))


@cache
def _similar() -> Ruler:
    return load_rulers(REPO.claims / "rulers.yaml")["similar"]
