"""What a worker does: simulate a batch. It may run on another machine, and touches no file."""

from threading import Lock

import numpy as np

from workbook.sweep.batches import Batch, cells_of, shape_of
from workbook.sweep.design import Design
from workbook.sweep.identity import difference, made_with
from workbook.sweep.parameters import Sweep, SweepError
from workbook.sweep.variables import ABSENT, Array, simulated

# A dask worker may have several threads, but Python's lock lets few of them work, and rules are compiled one at a time.
ONE_AT_A_TIME = Lock()


def simulate_batch(sweep: Sweep, engine: str, batch: Batch, asked_by: dict[str, str]) -> dict[str, Array]:
    """Simulate a batch's cells; every variable of the Dataset, in the batch's shape.

    Raises SweepError if this process has other sources or versions than the one that asks.
    """
    other = difference(made_with(), asked_by)
    if other:
        raise SweepError(f"a worker has {other}; every worker must have what this machine has")
    with ONE_AT_A_TIME:
        return _simulate(Design(sweep), engine, batch)


def _simulate(design: Design, engine: str, batch: Batch) -> dict[str, Array]:
    scenarios = [design.scenario(cell) for cell in cells_of(batch)]
    rows = [simulated(scenario, engine, design.sweep.warm_up_s) for scenario in scenarios]
    shape = shape_of(batch)
    columns = {
        name: np.stack([_of_all(row[name], design.flows) for row in rows]).reshape(*shape, -1) for name in rows[0]
    }
    seeds = np.array([scenario.seed for scenario in scenarios]).reshape(shape)
    return {**columns, "seed": seeds, "simulated": np.ones(shape, dtype=bool)}


def _of_all(values: Array, flows: int) -> Array:
    """The numbers of a cell's flows, and of those that other cells have beside them, which are absent."""
    absent = ABSENT if values.dtype.kind == "i" else np.nan
    return np.pad(values, (0, flows - values.size), constant_values=absent)
