"""Sweeps: one scenario, many variations, one Dataset.

    parameters     what a sweep's file says
    axes             of it the dimensions of a grid
    distributions    and what is drawn at random, from which stream
    design         which scenario each cell is
    variables      what is kept of each cell
    batches        the cells in blocks: tasks for workers, chunks of the store
    work           what a worker does: simulate a block
    workers        processes of this machine, or of a dask cluster
    template       the Dataset before anything is simulated
    store          the Zarr store that it is filled in, batch by batch
    identity       the versions and sources that decide the numbers
    running        all of it together
    call           the same from Python
    report         what is shown meanwhile, and in the end
    tidy           what came out as a tidy frame, and means with intervals

Workers touch no file: whoever started the sweep writes.
"""

from simcore.extras import require

require("sweep")

from workbook.sweep.call import sweep
from workbook.sweep.design import Design, cell_scenario
from workbook.sweep.parameters import Sweep, SweepError
from workbook.sweep.tidy import frame, interval

__all__ = ["Design", "Sweep", "SweepError", "cell_scenario", "frame", "interval", "sweep"]
