"""The rounds as machine code: the same Dataset as in SimPy, bit for bit, and the goldens."""

import pytest
from hypothesis import given

from simcore.rounds import RoundsScenario, simulate_rounds
from simcore.rounds.compiled import engine
from simcore.rounds.metrics import acked_bytes
from tests.examples import examples
from tests.simcore.rounds.goldens import series, series_of, table
from tests.simcore.rounds.scenes import READINGS, case, single, two
from tests.simcore.rounds.test_golden_single import RUNS
from tests.simcore.rounds.test_properties import scenarios


def assert_same(scenario: RoundsScenario) -> None:
    both = [simulate_rounds(scenario, engine) for engine in ("process", "compiled")]
    assert both[0].identical(both[1])
    assert [values.dtype for values in both[0].variables.values()] == [v.dtype for v in both[1].variables.values()]


@pytest.mark.parametrize("name", RUNS)
def test_one_sender_comes_out_as_in_the_original(name: str) -> None:
    mismatch, buffer = (int(part[1:]) for part in name.split("_")[1:])
    golden = series(name)
    dataset = simulate_rounds(single(mismatch, buffer, rounds=len(golden["cwnd"])), "compiled")
    assert series_of(dataset, sender=1) == golden


def test_all_bytes_of_one_sender_come_out_as_printed() -> None:
    for row in table("single_utilisation"):
        dataset = simulate_rounds(single(int(row["mismatch"]), int(row["buffer"]), int(row["rounds"])), "compiled")
        assert int(acked_bytes(dataset)[0]) == int(row["bytes"])


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("sender", [1, 2])
def test_two_senders_come_out_as_in_the_rewrite(reading: str, sender: int) -> None:
    assert series_of(simulate_rounds(two(reading), "compiled"), sender) == series(f"{reading}_seed0_sender{sender}")


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("name", ["case-1", "case-2", "case-3", "case-4", "case-5", "1000-rounds"])
def test_the_studys_cases_are_the_same(name: str, reading: str) -> None:
    assert_same(case(name, reading))


@given(scenarios())
def test_whatever_is_run_is_the_same(scenario: RoundsScenario) -> None:
    assert_same(scenario)


@examples(10)
@given(scenarios())
def test_a_run_goes_on_where_it_stopped(scenario: RoundsScenario) -> None:
    """For an interrupt after some rounds, or for more draws."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "ROUNDS_A_CALL", 7)
        patch.setattr(engine, "DRAWS", 1030)
        assert_same(scenario)
