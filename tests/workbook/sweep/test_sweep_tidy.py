"""A sweep as a tidy frame, and an interval over its replications that is Student's."""

import numpy as np
import pytest
import xarray as xr

from simcore.metrics import Replications
from workbook import sweep

LOSS = [[[1.0, 2.0], [3.0, 2.0], [5.0, 2.5]], [[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]]]
DS = xr.Dataset(
    {"loss_percent": (("buffer", "replication", "flow"), LOSS), "seed": (("buffer",), [1, 2])},
    {"buffer": [5, 10], "replication": [1, 2, 3], "flow": [1, 2]},
)


def test_a_frame_has_a_row_for_each_cell_and_flow() -> None:
    found = sweep.frame(DS)
    assert len(found) == 12
    assert {"buffer", "replication", "flow", "loss_percent"} <= {*found.columns}
    assert found[(found["buffer"] == 5) & (found["flow"] == 1)]["loss_percent"].tolist() == [1, 3, 5]


def test_an_interval_is_students() -> None:
    found = sweep.interval(DS, "replication")["loss_percent"].sel(buffer=5, flow=1)
    expected = Replications([1.0, 3.0, 5.0], [1, 2, 3])
    student = expected.student()
    assert np.allclose(found.sel(bound=["mean", "low", "high"]), [expected.mean, student.low, student.high])


def test_what_does_not_vary_over_the_dimension_is_left_out() -> None:
    assert list(sweep.interval(DS, "replication").data_vars) == ["loss_percent"]


def test_of_one_run_only_the_mean_is_known() -> None:
    found = sweep.interval(DS.isel(replication=[0]), "replication")["loss_percent"].sel(buffer=5, flow=1)
    assert float(found.sel(bound="mean")) == 1
    assert np.isnan(found.sel(bound=["low", "high"])).all()


def test_what_is_not_allowed_is_said() -> None:
    with pytest.raises(sweep.SweepError, match="over: 'seed' is no dimension; allowed: buffer, replication, flow"):
        sweep.interval(DS, "seed")
    with pytest.raises(sweep.SweepError, match="confidence: 95 is not allowed"):
        sweep.interval(DS, "replication", 95)
