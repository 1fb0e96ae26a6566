"""A chapter's runs as one tree, kept as Zarr and opened again while nothing changed that decides them."""

import os
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import xarray as xr
import zarr
from zarr.storage import ZipStore

from simcore import simulate
from simcore.results.tree import tree_of
from simcore.rounds import simulate_rounds
from workbook.chapters.chapter import Chapter
from workbook.imports import imported_files
from workbook.paths import REPO
from workbook.progress import progress

IDENTITY, ORDER = "made_from", "order"
SIMULATORS = ("simcore", "simcore.rounds")


def runs_of(chapter: Chapter, engine: str) -> xr.DataTree:
    """A node for each case of a chapter, simulated, or opened if it was simulated before (see `kept`)."""
    scenarios = [_scenario(chapter, case) for case in chapter.cases]
    return kept(f"{chapter.chapter}-{engine}", scenarios, lambda: _simulated(chapter, engine))


def eras_of(chapter: Chapter, engine: str) -> xr.DataTree:
    """A node for each later profile that the chapter compares its own with, in each a node for each case.

    They are simulated anew: to keep hundreds of small arrays takes ten times as long.
    """
    eras = chapter.then_and_now.items()
    return xr.DataTree.from_dict({era: _simulated(chapter, engine, **each) for era, each in eras})


def kept(name: str, scenarios: list[str], simulated: Callable[[], xr.DataTree]) -> xr.DataTree:
    """The tree that `simulated` makes, opened from build/runs/ if it was made before from the same.

    The same are the scenarios, the sources of the model, and the locked versions of the packages.
    """
    path, identity = REPO.runs / f"{name}.zarr.zip", _identity(scenarios)
    tree = _opened(path, identity)
    if tree is None:
        tree = simulated()
        tree.attrs |= {IDENTITY: identity, ORDER: _order(tree)}
        _write(tree, path)
    return tree


def _simulated(chapter: Chapter, engine: str, **overrides: object) -> xr.DataTree:
    cases = progress(chapter.cases, "cases")
    if chapter.model == "rounds":
        return xr.DataTree.from_dict(
            {case: simulate_rounds(chapter.rounds_scenario(case, **overrides)) for case in cases}
        )
    return xr.DataTree.from_dict(
        {case: tree_of(simulate(chapter.scenario(case, **overrides), engine)) for case in cases}
    )


def _scenario(chapter: Chapter, case: str) -> str:
    read = chapter.rounds_scenario if chapter.model == "rounds" else chapter.scenario
    return read(case).to_yaml()


def _identity(scenarios: list[str]) -> str:
    digest = sha256("\n".join(scenarios).encode())
    for path in [*imported_files(SIMULATORS, REPO.root), REPO.lock]:
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()


def _opened(path: Path, identity: str) -> xr.DataTree | None:
    """What is kept, if it is whole and made from the same. One file, as a tree has hundreds of arrays."""
    if not path.is_file():
        return None
    with ZipStore(path, mode="r") as store:
        if zarr.open_group(store, mode="r").attrs.get(IDENTITY) != identity:
            return None
        opened = xr.open_datatree(store, engine="zarr", chunks=None, consolidated=False)  # type: ignore[arg-type]
        return _ordered(opened.load())


def _order(tree: xr.DataTree) -> dict[str, list[str]]:
    """The names in every node, in their order, which a Zarr store doesn't keep."""
    return {node.path: [str(name) for name in node.to_dataset(inherit=False).variables] for node in tree.subtree}


def _ordered(tree: xr.DataTree) -> xr.DataTree:
    order: dict[str, list[str]] = tree.attrs[ORDER]
    nodes = {node.path: node.to_dataset(inherit=False) for node in tree.subtree}
    return xr.DataTree.from_dict({path: nodes[path][names] for path, names in order.items()})


def _write(tree: xr.DataTree, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with warnings.catch_warnings(), ZipStore(partial, mode="w") as store:
        warnings.filterwarnings("ignore", "Duplicate name", UserWarning)  # xarray writes each group's attributes twice
        tree.to_zarr(store, mode="w", zarr_format=2, consolidated=False)
    partial.replace(path)
