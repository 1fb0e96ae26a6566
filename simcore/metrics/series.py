"""How metrics take a run, select rows, smooth them as the studies do, and label what they return."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from simcore.results.dataset import described
from simcore.results.journeys import arrivals
from simcore.results.tree import Run, dataset_of

# The studies smooth "using EWMA (Exponential Weighted Moving Average) [...] alpha = 0.9" on the history.
HISTORY_WEIGHT = 0.9

Array = NDArray[Any]
More = ParamSpec("More")
Result = TypeVar("Result")

NO_VARIABLE: Final = re.compile(r"No variable named '((?:packet|ack|update|change|event)_\w+)'")


class NotRecordedError(KeyError):
    """A metric was asked of a run that does not have what it is made of; the message says what to record."""

    def __init__(self, metric: str, variable: str) -> None:
        self.variable = variable
        needed = {"update": "WINDOWS or EVERYTHING", "state": "Recording(states=True)"}
        needed["discipline"] = needed["state"]
        recording = needed.get(variable.partition("_")[0], "EVERYTHING")
        super().__init__(f"{metric} needs {variable}, which was not recorded: simulate(..., recording={recording})")

    def __str__(self) -> str:
        return str(self.args[0])


def of_run(metric: Callable[Concatenate[xr.Dataset, More], Result]) -> Callable[Concatenate[Run, More], Result]:
    """Let a metric of a flat Dataset take a node of a tree of runs as well (`simcore.results.tree`).

    It raises NotRecordedError if the run lacks a table that the metric is made of.
    """

    @wraps(metric)
    def measured(run: Run, /, *args: More.args, **kwargs: More.kwargs) -> Result:
        try:
            return metric(dataset_of(run), *args, **kwargs)
        except NotRecordedError as error:  # of a metric that this one is made of
            raise NotRecordedError(metric.__name__, error.variable) from None
        except KeyError as error:
            if missing := NO_VARIABLE.search(str(error)):
                raise NotRecordedError(metric.__name__, missing[1]) from None
            raise

    return measured


def series(
    values: Array, time_s: Array, dim: str, name: str, long_name: str, units: str, **attributes: str
) -> xr.DataArray:
    """Values along `dim` with their times as the coordinate `time_s`."""
    time = described(dim, time_s, "time", "s")
    return xr.DataArray(described(dim, values, long_name, units, **attributes), {"time_s": time}, name=name)


def per_flow(ds: xr.Dataset, values: object, name: str, long_name: str, units: str) -> xr.DataArray:
    """One value per flow, labelled with the flow's number."""
    labelled = described("flow", np.asarray(values, dtype=float), long_name, units)
    return xr.DataArray(labelled, {"flow": ds["flow"]}, name=name)


def offered(ds: xr.Dataset, flow: int) -> NDArray[np.intp]:
    """Row numbers of all packets of one flow, in the order in which they were offered to the bottleneck."""
    return np.flatnonzero(ds["packet_flow"].values == flow)


def first_arrivals(ds: xr.Dataset, flow: int) -> NDArray[np.intp]:
    """Row numbers of the first packet that arrived of each sequence number of a flow, in the numbers' order."""
    rows = arrivals(ds, flow)
    return rows[np.unique(ds["packet_seq"].values[rows], return_index=True)[1]]


def ewma(values: Array) -> Array:
    """Exponentially weighted moving average; the first value stands for the history before it."""
    return np.asarray(pd.Series(values, dtype=float).ewm(alpha=1 - HISTORY_WEIGHT, adjust=False).mean())
