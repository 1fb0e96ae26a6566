"""A sweep as a tidy frame, and means with intervals over its replications."""

import numpy as np
import pandas as pd
import xarray as xr
from scipy import stats

from workbook.sweep.parameters import SweepError


def frame(ds: xr.Dataset) -> pd.DataFrame:
    """A sweep as a tidy frame, for seaborn.

    Parameters
    ----------
    ds : xarray.Dataset
        What `workbook sweep` wrote, or a selection of it.

    Returns
    -------
    pandas.DataFrame
        A row for each cell and flow that it has; a column for each dimension, coordinate and variable, in its unit.
    """
    per_flow = [str(name) for name, variable in ds.data_vars.items() if "flow" in variable.dims]
    return ds.load().to_dataframe().dropna(how="all", subset=per_flow or None).reset_index()


def interval(ds: xr.Dataset, over: str, confidence: float = 0.95) -> xr.Dataset:
    """Means of a sweep's variables over a dimension, with Student's intervals for them.

    Parameters
    ----------
    ds : xarray.Dataset
        What `workbook sweep` wrote, or a selection of it.
    over : str
        The dimension to average over, most often "replication".
    confidence : float
        Of the interval, below 1.

    Returns
    -------
    xarray.Dataset
        Every variable that has the dimension, without it but with a dimension `bound`: "mean", "low", "high"; in the
        variable's unit. Of one run alone nothing is known: low and high are NaN.

    Raises
    ------
    SweepError
        If there is no such dimension, or the confidence is not between 0 and 1.
    """
    if over not in ds.dims:
        raise SweepError(f"over: {over!r} is no dimension; allowed: {', '.join(map(str, ds.dims))}")
    if not 0 < confidence < 1:
        raise SweepError(f"confidence: {confidence} is not allowed; must be above 0 and below 1")
    values = ds[[name for name, variable in ds.data_vars.items() if over in variable.dims]]
    mean, n = values.mean(over), values.count(over)
    half = values.std(over, ddof=1) / np.sqrt(n) * n.map(lambda each: _quantile(each, confidence))
    bounds = [mean, mean - half, mean + half]
    return xr.concat(bounds, pd.Index(["mean", "low", "high"], name="bound")).assign_attrs(ds.attrs)


def _quantile(n: xr.DataArray, confidence: float) -> xr.DataArray:
    """Student's quantile for each number of runs; NaN for a single one."""
    return n.copy(data=stats.t.ppf((1 + confidence) / 2, df=np.where(n > 1, n - 1, np.nan)))
