"""What the report narrates of two senders that start together, asked of one run."""

import numpy as np
import xarray as xr

from simcore.rounds.rules.sender import NO_LOSS, THREE_DUPLICATES
from workbook.chapters.competing_tahoe.measures import NEVER, Measured, are_similar, tracks
from workbook.chapters.competing_tahoe.track import WINDOWS, Array, Track

SPIKES = slice(38, 61)  # "the spikes between 38 and 60 RTT"


def narrated(run: xr.Dataset) -> Measured:
    """The events of the report's first case, by name."""
    one, two = tracks(run)
    return {
        **{f"sender1.{name}": value for name, value in _first_cycle(one).items()},
        **{f"sender2.{name}": value for name, value in _second_sender(two).items()},
        **_spikes(one, two),
        **_shared_buffer(one, two),
    }


def _first_cycle(track: Track) -> Measured:
    """From the first loss to the end of the first congestion avoidance.

    A retransmission answers a third duplicate that came in the round before.
    """
    repair, burst = int(track.repairs[0]), track.next_burst(int(track.repairs[0]))
    losses = np.flatnonzero(track.values("loss") != NO_LOSS)
    return {
        "first_drops": float(track.values("dropped_segments")[repair - 2]),
        "third_duplicate_round": float(losses[0]) - 1,
        "repaired_after_rounds": float(repair - track.drops[0]),
        "last_stalled_round": float(burst - 1),
        "stalls_without_a_gap": bool(track.stalled[repair:burst].all()),
        "full_window_round": float(burst),
        "next_third_duplicate_round": float(losses[losses > track.begins[0]][0]) - 1,
        "initial_ssthresh_bytes": float(track.values("ssthresh")[0]),
        "first_loss_by_duplicates": bool(track.values("loss")[losses[0]] == THREE_DUPLICATES),
        "start_doublings": float(np.log2(track.values("cwnd")[3] / track.values("cwnd")[0])),
    }


def _second_sender(track: Track) -> Measured:
    """Its last retransmission before congestion avoidance, and what it does while sender 1 has its first cycles."""
    return {
        "last_repair_round": float(track.repairs[track.repairs < track.begins[0]][-1]),
        "stalled_38_to_60_percent": 100 * float(track.stalled[SPIKES].mean()),
        "segments_38_to_60": float(track.values("segments")[SPIKES].mean()),
    }


def _spikes(one: Track, two: Track) -> Measured:
    """Whether later spikes of sender 1 stay below those of rounds 38 to 60, and when a spike is a high one."""
    lower = {
        f"sender1.later_{name}_lower": bool(one.windows(name)[SPIKES.stop :].max() <= one.windows(name)[SPIKES].max())
        for name in WINDOWS[:3]
    }
    later_cycles = {
        f"sender{track.sender}.later_cycles": float((track.ends >= SPIKES.stop).sum()) for track in (one, two)
    }
    return lower | later_cycles | {"sender1.highest_spikes_beside_stalled_percent": _while_other_stalls(one, two)}


def _while_other_stalls(track: Track, other: Track) -> float:
    """Of a sender's spikes that are similar to its highest, those that end, with a drop, while the other stalls."""
    spikes, begins = track.spikes(), track.begins[: track.ends.size]
    ended = np.array([track.drops[track.drops >= begin][0] for begin in begins])
    high = [are_similar(spike, float(spikes.max())) for spike in map(float, spikes)]
    return 100 * float(other.stalled[ended[high]].mean())


def _shared_buffer(one: Track, two: Track) -> Measured:
    """What a sender loses while the other stalls, and while it doesn't; and beside stalls moved by half the run.

    Those that were moved are the control: if the rounds in which the other stalls matter, moving them must tell.
    """
    stalls = [(one, two.stalled), (two, one.stalled)]
    return {
        "total.loss_beside_stalled_percent": _loss_percent(stalls),
        "total.loss_beside_busy_percent": _loss_percent([(track, ~stalled) for track, stalled in stalls]),
        "total.moved.loss_beside_stalled_percent": _loss_percent(
            [(track, np.roll(stalled, stalled.size // 2)) for track, stalled in stalls]
        ),
    }


def _loss_percent(chosen: list[tuple[Track, Array]]) -> float:
    """Of the segments that were sent in some rounds, what was dropped."""
    sent, dropped = (
        sum(int(track.values(name)[rounds].sum()) for track, rounds in chosen)
        for name in ("segments", "dropped_segments")
    )
    return 100 * dropped / sent if sent else NEVER
