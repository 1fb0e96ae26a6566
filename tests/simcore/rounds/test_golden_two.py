"""Two senders, value for value as an independent rewrite of both readings of the router."""

import numpy as np
import pytest

from simcore.rounds import simulate_rounds
from simcore.rounds.metrics import acked_bytes
from tests.simcore.rounds.goldens import series, series_of, table
from tests.simcore.rounds.scenes import READINGS, over_seeds, two


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("sender", [1, 2])
def test_every_round_of_seed_0_comes_out(reading: str, sender: int) -> None:
    dataset = simulate_rounds(two(reading))
    assert series_of(dataset, sender) == series(f"{reading}_seed0_sender{sender}")


@pytest.mark.parametrize(
    ("reading", "buffer", "start", "totals"),
    [
        ("literal", 6, 3, [440405, 448593]),
        ("literal", 8, 3, [683125, 671858]),
        ("literal", 6, 2, [431191, 484426]),
        ("fitted", 6, 2, [443524, 513144]),
        ("fitted", 8, 2, [600199, 715893]),
    ],
)
def test_an_even_buffer_fills_in_pairs_so_that_chance_decides_nothing(
    reading: str, buffer: int, start: int, totals: list[int]
) -> None:
    for run in over_seeds(two(reading, start=start, buffer_segments=buffer), 20):
        assert acked_bytes(run).values.tolist() == totals


@pytest.mark.parametrize("reading", READINGS)
def test_mismatch_20_from_buffer_6_to_18(reading: str) -> None:
    for row in table(f"case6_{reading}"):
        buffer = int(row["buffer"])
        runs = over_seeds(two(reading, mismatch=20, buffer_segments=buffer), 60 if buffer % 2 else 1)
        percent = np.array([run["utilisation_percent"].values for run in runs])
        packets = np.array([acked_bytes(run).values for run in runs]).mean(axis=0) / (1024 * 300)
        for i in (0, 1):
            found = [f"{percent[:, i].mean():.2f}", f"{percent[:, i].std():.2f}", f"{packets[i]:.3f}"]
            assert found == [row[f"s{i + 1}_{name}"] for name in ("util_mean", "sd", "packets_per_round")]
