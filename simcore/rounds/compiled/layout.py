"""The records of a run: the states that the rules change, and a row for each sender and round."""

from dataclasses import asdict, fields
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.rounds.rules.receiver import ReceiverState, places_needed
from simcore.rounds.rules.router import READINGS
from simcore.rounds.rules.sender import HOLE, MOST_SEGMENTS, SenderState
from simcore.rounds.scenario import RoundsScenario, RoundsSender

Array = npt.NDArray[Any]
Numbers = Any  # an array that a rule takes for a sequence

NEVER: Final = -1
RUN: Final = np.dtype([(name, "i8") for name in ("now", "rounds", "reading", "buffer", "mismatch", "drawn")])
PLAN: Final = np.dtype(
    [
        *((name, "i8") for name in ("start_round", "idle_from", "idle_until", "session", "window")),
        ("is_dropped", "?"),
        ("acks", "i8", (MOST_SEGMENTS,)),
    ]
)
BURST: Final = np.dtype([*((name, "i8") for name in ("first", "length", "count")), ("passed", "?", (MOST_SEGMENTS,))])


class World(NamedTuple):
    """All that a run consists of. A sender whose connection is dropped has a second session, behind those of all."""

    run: Array
    plans: Array
    bursts: Numbers
    senders: Array
    receivers: Array
    held: Numbers
    draws: Numbers
    rows: Array


def world_of(scenario: RoundsScenario, draws: Array, row: np.dtype[Any]) -> World:
    """The records of a scenario before its first round."""
    count, places = len(scenario.senders), places_needed(scenario.rounds, scenario.mss_bytes)
    rings = [ReceiverState(scenario.go_back_n, places, 2 * places * i) for i in range(2 * count)]
    reading = READINGS[scenario.reading].rule
    run = (0, scenario.rounds, reading, scenario.buffer_segments, scenario.mismatch, 0)
    return World(
        np.array([run], RUN),
        np.array([_plan(sender, i) for i, sender in enumerate(scenario.senders)], PLAN),
        np.zeros(count, BURST),
        _records([_sender(scenario)] * (2 * count)),
        _records(rings),
        np.zeros(2 * places * len(rings), np.int64),
        draws,
        np.zeros(count * scenario.rounds, row),
    )


def _plan(sender: RoundsSender, session: int) -> tuple[object, ...]:
    idle, window = sender.idle, ReceiverState(False, 0).window
    pause = (idle.first_round, idle.last_round) if idle else (NEVER, NEVER)
    is_dropped = idle is not None and idle.connection == "dropped"
    return (sender.start_round, *pause, session, window, is_dropped, [HOLE] * MOST_SEGMENTS)


def _sender(scenario: RoundsScenario) -> SenderState:
    return SenderState(
        mss=scenario.mss_bytes,
        eighth_added=scenario.eighth_added,
        go_back_n=scenario.go_back_n,
        holes_skipped=scenario.holes_skipped,
        cwnd=scenario.mss_bytes,
    )


def _records(states: list[SenderState] | list[ReceiverState]) -> Array:
    dtype = np.dtype([(field.name, "?" if field.type is bool else "i8") for field in fields(states[0])])
    return np.array([tuple(asdict(state).values()) for state in states], dtype)
