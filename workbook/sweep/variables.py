"""The variables of a sweep's Dataset: a run's totals, and what follows from them exactly."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simcore import Scenario, simulate_totals
from simcore.results.totals import MEANINGS

Array = npt.NDArray[Any]

OF_A_FLOW: Final = {
    **{name: (np.dtype(np.int64), long_name, units) for name, (long_name, units) in MEANINGS.items()},
    # Not `throughput_kbps`: how long a flow's last packets took to arrive after its stop is not among the totals.
    "received_kbps": (np.dtype(float), "bits received over the time from start or warm-up to stop or end", "kb/s"),
    "loss_percent": (np.dtype(float), "losses", "%"),
}
"""Type, long name and units by name; one number a cell and flow."""

ABSENT: Final = -1  # counted of a flow that a cell has not; a rate of it is NaN

OF_A_CELL: Final = {
    "seed": (np.dtype(np.int64), "seed of the scenario", "1"),
    "simulated": (np.dtype(bool), "the cell has been simulated; where it has not, its numbers mean nothing", "1"),
}
"""The same, one number a cell."""


STATES: Final = ("acknowledged", "in_flight")
"""Totals that say how it stands at the end; all others count."""


def simulated(scenario: Scenario, engine: str, warm_up_s: float = 0.0) -> dict[str, Array]:
    """Simulate a scenario; the variables of a flow, one number a flow, of the time from `warm_up_s` on."""
    totals = dict(simulate_totals(scenario, engine))
    if warm_up_s:
        before = simulate_totals(scenario.model_copy(update={"end_s": warm_up_s}), engine)
        totals |= {name: totals[name] - before[name] for name in totals if name not in STATES}
    seconds = np.array(
        [min(flow.stop_s, scenario.end_s) - max(flow.start_s, warm_up_s) for flow in scenario.flows]
    )  # fmt: skip
    return {
        **totals,
        "received_kbps": 8e-3 * totals["received_bytes"] / seconds,
        "loss_percent": 100 * totals["dropped"] / totals["sent"].clip(min=1),
    }
