"""The smoothing that the studies apply to what they plot."""

import numpy as np
import pandas as pd

from simcore.metrics.series import Array

# The studies smooth "using EWMA (Exponential Weighted Moving Average) [...] alpha = 0.9" on the history.
HISTORY_WEIGHT = 0.9


def ewma(values: Array) -> Array:
    """Exponentially weighted moving average; the first value stands for the history before it."""
    return np.asarray(pd.Series(values, dtype=float).ewm(alpha=1 - HISTORY_WEIGHT, adjust=False).mean())
