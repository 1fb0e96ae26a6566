"""The Dataset of a run: it says what it is, where it came from, and that nothing was lost."""

import json
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
import yaml

from simcore.results.conservation import ConservationError
from simcore.rounds import rounds_scenario_from, simulate_rounds
from simcore.rounds.rules.sender import KINDS, LOSSES
from simcore.rounds.simulation import check
from tests.simcore.rounds.scenes import paused, single, two


def test_every_variable_says_what_it_is_and_in_which_unit() -> None:
    dataset = simulate_rounds(two("literal"))
    assert all({"long_name", "units"} <= set(dataset[name].attrs) for name in dataset.variables)
    assert dict(dataset.sizes) == {"sender": 2, "round": 300}


@pytest.mark.parametrize(("name", "meanings"), [("sent_kind", KINDS), ("loss", LOSSES)])
def test_codes_say_what_they_mean(name: str, meanings: tuple[str, ...]) -> None:
    attrs = simulate_rounds(single())[name].attrs
    assert attrs["flag_meanings"].split() == list(meanings)
    assert attrs["flag_values"].tolist() == list(range(len(meanings)))


def test_a_dataset_is_enough_to_make_it_again() -> None:
    dataset = simulate_rounds(paused("fitted", "dropped"))
    again = simulate_rounds(rounds_scenario_from(yaml.safe_load(dataset.attrs["scenario"])))
    assert again.identical(dataset)
    assert dataset.attrs["seed"] == 0
    assert {"python", "simpy", "numpy"} <= json.loads(dataset.attrs["versions"]).keys()


def test_a_dataset_survives_a_file(tmp_path: Path) -> None:
    dataset = simulate_rounds(two("literal"))
    dataset.to_netcdf(tmp_path / "run.nc", engine="h5netcdf")
    with xr.open_dataset(tmp_path / "run.nc", engine="h5netcdf") as read:
        assert read.equals(dataset)


def test_another_seed_is_another_run() -> None:
    first, second = (simulate_rounds(two("literal", seed=seed)) for seed in (1, 2))
    assert not np.array_equal(first["cwnd"], second["cwnd"])


@pytest.mark.parametrize("name", ["sent_bytes", "dropped_bytes", "in_order_bytes", "held_bytes"])
def test_a_lost_byte_is_found_and_placed(name: str) -> None:
    dataset = simulate_rounds(two("literal")).copy(deep=True)
    dataset[name].values[1, 40] += 1
    with pytest.raises(ConservationError, match=r"^sender 2, round 40: .* unaccounted for$"):
        check(dataset)
