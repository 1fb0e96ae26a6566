"""What the report narrates of a second sender that leaves and comes back, or that comes late, asked of one run.

Any run of two senders can be asked: one without a pause, or with a sender that is never late, is asked of the same
rounds. What the report says of a story must not be true of such a run; that is how the ledger's controls fail.
"""

import numpy as np
import xarray as xr

from simcore.rounds.metrics import utilisations
from simcore.rounds.rules.sender import ABSENT, KEEP_ALIVE
from workbook.chapters.competing_tahoe.measures import NEVER, Measured, are_similar, first, highest, tracks
from workbook.chapters.competing_tahoe.track import WINDOWS, Array, Track

LEAVES, BACK = 100, 150  # rounds in which the report's sender 2 is away: what other runs are asked of


def dropped(run: xr.Dataset) -> Measured:
    """Sender 2 drops its connection and comes back with a new one."""
    one, two = tracks(run)
    leaves, back = _pause(two)
    begins = two.begins[two.begins >= back]
    repairs = two.repairs[two.repairs >= back]
    repairs = repairs[repairs < begins[0]] if begins.size else repairs
    flight = two.windows("flight_size")[back:]
    return _undisturbed(one, leaves, back) | {
        "sender2.logged_while_absent": float(max(two.values(name)[leaves:back].max() for name in WINDOWS)),
        "sender2.rejoins_in_slow_start": bool(two.values("slow_start")[back]),
        "sender2.rejoins_with_ssthresh": float(two.values("ssthresh")[back]),
        "sender2.first_drop_after_rounds": first(np.flatnonzero(two.values("dropped_segments")[back:])),
        "sender2.recovery_rounds": float(np.ptp(repairs)) if repairs.size else NEVER,
        "sender2.flight_of_slow_start_segments": float(flight[:20].max()),
        "sender2.later_flight_segments": float(flight[50:].max()),
        "sender2.flight_at_avoidance_segments": float(two.windows("flight_size")[begins[0]]) if begins.size else NEVER,
    }


def kept_alive(run: xr.Dataset) -> Measured:
    """Sender 2 keeps its connection alive with single bytes."""
    one, two = tracks(run)
    leaves, back = _pause(two)
    cwnd, ssthresh = two.values("cwnd"), two.values("ssthresh")
    return _undisturbed(one, leaves, back) | {
        "sender2.bytes_while_idle": float(two.values("sent_bytes")[leaves:back].sum()),
        "sender2.window_kept": bool(np.ptp(cwnd[leaves:back]) == 0 and np.ptp(ssthresh[leaves:back]) == 0),
        "sender2.resumes_in_avoidance": bool(not two.values("slow_start")[back]),
        "sender2.avoidance_after_rounds": first(two.begins[two.begins >= back] - back),
    }


def delayed(run: xr.Dataset) -> Measured:
    """Sender 2 comes late."""
    one, two = tracks(run)
    start = _late(run)
    avoids = int(np.append(two.begins[two.begins >= start], run.sizes["round"] - 1)[0])
    before, after = one.spikes(until=start), one.spikes(since=start)
    flight = two.windows("flight_size")
    rated = utilisations(run.variables, while_connected=True).tolist()
    return {
        "sender1.cycles_before_avoidance": float(((one.ends >= start) & (one.ends < avoids)).sum()),
        "sender1.spikes_before_differ_segments": float(np.ptp(before[1:])),
        "sender1.spikes_before_segments": float(before[1:].max()),
        "sender1.next_spike_segments": first(after),
        "sender1.spikes_after_segments": highest(after),
        "sender1.next_four_spikes_alike": bool(_alike(after[:4])),
        "sender1.later_spikes_alike": bool(_alike(one.spikes(since=avoids))),
        "sender1.while_connected_percent": rated[0],
        "sender2.while_connected_percent": rated[1],
        "sender2.single_segment_percent": _percent(two.values("segments")[start + 6 : avoids] == 1),
        "sender2.flight_at_avoidance_percent": 100 * float(flight[avoids] / max(1, flight[start : avoids + 1].max())),
        "sender2.cycles_after": float((two.ends >= start).sum()),
    }


def _pause(track: Track) -> tuple[int, int]:
    """The first round of a sender's pause, and the first one after it."""
    idle = np.flatnonzero(np.isin(track.values("sent_kind"), (ABSENT, KEEP_ALIVE)))
    idle = idle[idle > track.bursts[0]]
    return (int(idle[0]), int(idle[-1]) + 1) if idle.size else (LEAVES, BACK)


def _late(run: xr.Dataset) -> int:
    """The round in which sender 2 starts, if it is late."""
    start = int(run.variables["start_round"].values[1])
    return start if start > LEAVES else BACK


def _undisturbed(one: Track, leaves: int, back: int) -> Measured:
    """Sender 1 while sender 2 pauses: its cycles that begin and end meanwhile, and its highest window."""
    spikes = one.spikes(leaves, back)
    cwnd = one.windows("cwnd")
    outside = max(cwnd[one.begins[0] : leaves].max(), cwnd[back:].max())  # not in the first slow start
    return {
        "sender1.spikes_in_the_pause_alike": bool(spikes.size and np.ptp(spikes) == 0),
        "sender1.spike_in_the_pause_segments": highest(spikes),
        "sender1.highest_in_the_pause": bool(cwnd[leaves:back].max() > outside),
        "sender1.spikes_after_the_pause_segments": float(one.spikes(since=back).mean()),
    }


def _alike(spikes: Array) -> bool:
    """Whether the lowest is similar to the highest, as the ledger understands the word."""
    return bool(spikes.size) and are_similar(float(spikes.min()), float(spikes.max()))


def _percent(held: Array) -> float:
    return 100 * float(held.mean()) if held.size else NEVER
