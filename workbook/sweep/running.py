"""Run a sweep: what its store still misses is simulated by workers, and written as it comes."""

import json
from collections.abc import Iterator
from concurrent.futures import as_completed

from workbook.sweep.design import Design
from workbook.sweep.identity import made_with
from workbook.sweep.store import Store
from workbook.sweep.work import simulate_batch
from workbook.sweep.workers import cluster, interrupts_ignored, processes


def attributes(design: Design, engine: str, params: str) -> dict[str, str | int]:
    """What the Dataset says of itself: enough to make it again. No date: the same sweep gives the same bytes."""
    return {
        "title": design.sweep.name,
        "Conventions": "CF-1.11",
        "params": params,
        "engine": engine,
        "seed": design.seed,
        "versions": json.dumps(made_with()),
    }


def run(design: Design, engine: str, store: Store, scheduler: str | None) -> Iterator[int]:
    """Simulate and write what is missing, on this machine's cores or a cluster's; yields how many cells were added.

    Raises SweepError, WorkersLostError and OSError; what was written stays, and running it again continues from there.
    """
    missing = store.missing()
    if not missing:
        return
    with cluster(scheduler) if scheduler else processes(len(missing)) as executor:
        with interrupts_ignored():
            futures = {
                executor.submit(simulate_batch, design.sweep, engine, batch, made_with()): batch for batch in missing
            }
        for future in as_completed(futures):
            yield store.write(futures.pop(future), future.result())
