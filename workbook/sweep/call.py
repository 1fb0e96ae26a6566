"""A sweep as a Python call: what `workbook sweep` does, without a file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import xarray as xr
from pydantic import ValidationError

from simcore.scenario.problems import problems_of
from simcore.scenario.scenario import Scenario
from simcore.scenario.text import yaml_text
from workbook.sweep.design import Design
from workbook.sweep.parameters import Sweep, SweepError, keys_at
from workbook.sweep.running import attributes, run
from workbook.sweep.store import opened

NAME: Final = "sweep"  # of a sweep without a file


def sweep(
    scenario: Scenario,
    over: Mapping[str, Iterable[Any] | Mapping[str, Any]],
    *,
    replications: int | None = None,
    jitter: Mapping[str, Mapping[str, Any]] | None = None,
    warm_up_s: float = 0.0,
    engine: str = "compiled",
    store: Path | str | None = None,
) -> xr.Dataset:
    """Simulate a scenario in many variations, on all cores.

    Parameters
    ----------
    scenario : Scenario
        What is varied.
    over : mapping of str to iterable or mapping
        A grid: dotted paths and their values (`{"bottleneck.buffer_packets": [5, 10, 20]}`), or names and what a
        sweep's file says of them (`{"delay": {"path": "bottleneck.delay_ms", "from": 1, "to": 100, "steps": 5}}`).
    replications : int, optional
        Each cell so often, each with a seed of its own.
    jitter : mapping of str to mapping, optional
        What is added anew in each replication: `{"flows.*.start_s": {"uniform": [0, 0.1]}}`.
    warm_up_s : float, optional
        Counted is what passes later, in s.
    engine : str, optional
        "compiled" or "process".
    store : path, optional
        A Zarr store to fill. What is there of the same sweep is not simulated again, so that one that was stopped goes
        on. Without it nothing is kept.

    Returns
    -------
    xarray.Dataset
        A dimension for each path, named by its last word, then `replication` and `flow`; totals of every flow.

    Raises
    ------
    SweepError
        A line for each problem: of the sweep, of a cell's scenario, or of a store that holds another sweep.
    OSError
        If the store can't be written.
    """
    given = {"name": NAME, "base": scenario.to_mapping(), "engine": engine, "vary": _axes(over), "warm_up_s": warm_up_s}
    given |= {} if replications is None else {"replications": replications}
    given |= {} if jitter is None else {"jitter": dict(jitter)}
    design = _design(given)
    if store is not None:
        return _filled(design, engine, given, Path(store))
    with TemporaryDirectory() as folder:
        return _filled(design, engine, given, Path(folder) / f"{NAME}.zarr").load()


def _axes(over: Mapping[str, Iterable[Any] | Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """As a sweep's file has them: a path's last word is its name, unless two have the same."""
    words = [path.rpartition(".")[2] for path in over]
    return {
        word if words.count(word) == 1 else path.replace(".", "_").replace("*", "all"): _axis(path, values)
        for word, (path, values) in zip(words, over.items(), strict=True)
    }


def _axis(path: str, values: Iterable[Any] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(values, Mapping):
        return dict(values)
    return {"path": path, "values": [_plain(value) for value in values]}


def _plain(value: Any) -> Any:
    """A number of Python's own, as of `numpy.arange`, which a file has."""
    return value.item() if isinstance(value, np.generic) else value


def _design(given: Mapping[str, Any]) -> Design:
    """The sweep's cells, each of which can be simulated."""
    try:
        design = Design(Sweep.model_validate(given))
    except ValidationError as error:
        raise SweepError(*problems_of(error, "", keys_at)) from None
    design.check()
    return design


def _filled(design: Design, engine: str, given: Mapping[str, Any], path: Path) -> xr.Dataset:
    """The store with every cell in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened(path, design, attributes(design, engine, yaml_text(dict(given)))) as store:
        for _ in run(design, engine, store, None):
            pass
    filled: xr.Dataset = xr.open_zarr(path)
    return filled
