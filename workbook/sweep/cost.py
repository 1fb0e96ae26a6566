"""What a sweep will need, from some of its cells."""

from typing import Final

import numpy as np

from simcore import TOTALS
from simcore.results.cost import Cost, cost_of
from workbook.sweep.design import Design

MOST_LOOKED_AT: Final = 500  # cells, evenly spread: an estimate takes longer than a check for many flows


def cost_of_sweep(design: Design, engine: str, workers: int) -> Cost:
    """The packets of all cells, the seconds that so many workers need, and the memory of the largest cells at once."""
    looked_at = np.unique(np.linspace(0, design.cells - 1, min(design.cells, MOST_LOOKED_AT)).astype(int))
    cells = [tuple(map(int, np.unravel_index(number, design.shape))) for number in looked_at]
    costs = [cost_of(design.scenario(cell), engine, TOTALS) for cell in cells]
    share = design.cells / len(costs)
    return Cost(
        packets=share * sum(cost.packets for cost in costs),
        seconds=share * sum(cost.seconds for cost in costs) / workers,
        memory_bytes=min(workers, design.cells) * max(cost.memory_bytes for cost in costs),
    )
