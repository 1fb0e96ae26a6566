"""The scenarios of the study, in both readings of its router, as the tests play them."""

import xarray as xr

from simcore.rounds import RoundsScenario, rounds_scenario_from, simulate_rounds

READINGS = ("literal", "fitted")

# The readings differ in how they count "the third round trip", from 0 or from 1.
SECOND_START = {"literal": 3, "fitted": 2}
FIRST_IDLE = {"literal": 100, "fitted": 99}
LATE_START = {"literal": 150, "fitted": 149}


def single(mismatch: int = 10, buffer: int = 7, rounds: int = 300, **changes: object) -> RoundsScenario:
    """One sender alone, through the original router."""
    usual = {"reading": "original", "rounds": rounds, "mismatch": mismatch, "buffer_segments": buffer}
    return rounds_scenario_from(usual | {"senders": [{}]} | changes)


def two(
    reading: str, *, start: int | None = None, idle: dict[str, object] | None = None, **changes: object
) -> RoundsScenario:
    """Two senders; by default the study's case 1."""
    second = {"start_round": SECOND_START[reading] if start is None else start, "idle": idle}
    usual = {"reading": reading, "rounds": 300, "mismatch": 10, "buffer_segments": 7, "senders": [{}, second]}
    return rounds_scenario_from(usual | changes)


def paused(reading: str, connection: str) -> RoundsScenario:
    """Sender 2 pauses between round 100 and 150, its connection dropped or kept alive."""
    first = FIRST_IDLE[reading]
    return two(reading, idle={"connection": connection, "first_round": first, "last_round": 149})


def case(name: str, reading: str) -> RoundsScenario:
    """A case of the study."""
    match name:
        case "case-1":
            return two(reading)
        case "case-2":
            return paused(reading, "dropped")
        case "case-3":
            return paused(reading, "kept_alive")
        case "case-4":
            return two(reading, start=LATE_START[reading])
        case "case-5":
            return two(reading, buffer_segments=9)
        case "1000-rounds":
            return two(reading, rounds=1000)
    raise KeyError(name)


def over_seeds(scenario: RoundsScenario, seeds: int) -> list[xr.Dataset]:
    """The same with the seeds 0, 1, ..., as machine code: `test_compiled` says that it is the same."""
    return [simulate_rounds(scenario.model_copy(update={"seed": seed}), "compiled") for seed in range(seeds)]
