"""Both engines on one scenario: the same Dataset, bit for bit."""

import numpy as np
import xarray as xr

from simcore import Scenario, simulate


def assert_same(scenario: Scenario) -> xr.Dataset:
    """Simulate in both engines; raises AssertionError with the first difference, and returns what both gave."""
    ours, theirs = simulate(scenario, "process"), simulate(scenario, "compiled")
    assert theirs.attrs.pop("engine") == "compiled"
    assert ours.attrs.pop("engine") == "process"
    xr.testing.assert_identical(ours, theirs)
    for name, column in ours.variables.items():  # 0.0 == -0.0
        if column.dtype.kind == "f":
            zero = column.values == 0
            signs = [np.signbit(run.variables[name].values[zero]) for run in (ours, theirs)]
            assert np.array_equal(*signs), f"{name}: the sign of a zero"
    return ours
