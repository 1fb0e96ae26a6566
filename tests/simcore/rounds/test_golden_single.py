"""One sender, value for value as the original simulator: windows in every round, bytes and printed percentages."""

from collections.abc import Mapping

import pytest

from simcore.rounds import simulate_rounds
from simcore.rounds.metrics import acked_bytes
from tests.simcore.rounds.goldens import FOLDER, series, series_of, table
from tests.simcore.rounds.scenes import single

RUNS = sorted(path.name.removesuffix(".csv.xz") for path in FOLDER.glob("single_m*.csv.xz"))


@pytest.mark.parametrize("name", RUNS)
def test_every_round_comes_out_as_in_the_original(name: str) -> None:
    mismatch, buffer = (int(part[1:]) for part in name.split("_")[1:])
    golden = series(name)
    dataset = simulate_rounds(single(mismatch, buffer, rounds=len(golden["cwnd"])))
    assert series_of(dataset, sender=1) == golden


@pytest.mark.parametrize(
    "row", table("single_utilisation"), ids=lambda row: f"m{row['mismatch']}-b{row['buffer']}-n{row['rounds']}"
)
def test_bytes_and_percentages_come_out_as_printed(row: Mapping[str, str]) -> None:
    dataset = simulate_rounds(single(int(row["mismatch"]), int(row["buffer"]), int(row["rounds"])))
    utilisation = float(dataset["utilisation_percent"].sel(sender=1))
    assert int(acked_bytes(dataset)[0]) == int(row["bytes"])
    assert f"{utilisation:.4f}" == row["utilisation_percent"]
    assert f"{utilisation:.0f}" == row["printed_percent"]


def test_all_golden_runs_are_here() -> None:
    assert [f"single_m{m}_b{b}" for m, b in ((10, 5), (10, 6), (10, 7), (10, 9), (20, 18), (20, 7))] == RUNS
    assert len(table("single_utilisation")) == 60


def test_buffers_that_the_mismatch_caps_are_one_experiment() -> None:
    """Mismatch 10 leaves at most 9 places."""
    runs = [simulate_rounds(single(buffer=buffer)) for buffer in (9, 10, 12, 14)]
    assert {int(acked_bytes(run)[0]) for run in runs} == {786555}
    assert len({float(run["utilisation_percent"][0]) for run in runs}) == 1


@pytest.mark.parametrize(("mismatch", "total"), [(8, 2394490), (12, 2394490), (15, 2386301), (50, 2386301)])
def test_the_mismatch_carries_no_rate(mismatch: int, total: int) -> None:
    """It lets a stray segment pass or not; a link six times slower changes nothing else."""
    assert int(acked_bytes(simulate_rounds(single(mismatch, rounds=1000)))[0]) == total


@pytest.mark.parametrize(("reading", "buffer", "percent"), [("literal", 7, 33.4), ("fitted", 7, 36.3)])
def test_one_sender_through_the_shared_router(reading: str, buffer: int, percent: float) -> None:
    dataset = simulate_rounds(single(buffer=buffer, rounds=1000, reading=reading))
    assert round(float(dataset["utilisation_percent"][0]), 1) == percent
