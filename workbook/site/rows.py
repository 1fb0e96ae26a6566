"""Rows of numbers, as a grid compares them: those of a world and of its scenario's leaves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Leaf = str | float | int | bool


@dataclass(frozen=True)
class Turned:
    """An axis with the positions of its controls: the class of each combination, and the first one of each class."""

    names: tuple[str, ...]
    classes: tuple[int, ...]  # the last control turns fastest
    firsts: tuple[tuple[int, ...], ...]


def depends(axes: Sequence[Turned], grid: Words) -> Iterator[set[str]]:
    """Of each number the controls along whose axes it varies."""
    shaped = grid.reshape(len(grid), *(len(axis.firsts) for axis in axes))
    behind = tuple(range(1, shaped.ndim))
    varies = [np.any(shaped != shaped.take([0], k + 1), axis=behind) for k in range(len(axes))]
    for row in range(len(grid)):
        yield {name for axis, along in zip(axes, varies, strict=True) if along[row] for name in axis.names}


def flat(node: Any, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """The leaves of a mapping, by dotted path."""
    if isinstance(node, Mapping):
        for name, value in node.items():
            yield from flat(value, f"{path}{name}.")
    elif isinstance(node, list | tuple):
        for k, value in enumerate(node):
            yield from flat(value, f"{path}{k}.")
    else:
        yield path[:-1], node


def longer(row: Words, length: int) -> Words:
    return np.concatenate([row, np.zeros(max(0, length - len(row)), np.uint64)])


def filled(usual: Words, places: npt.NDArray[np.int64], row: Words) -> Words:
    """The values at places, of a row that says only what is not usual."""
    column = usual.copy()
    here = np.isin(row[0].astype(np.int64), places)
    column[np.searchsorted(places, row[0][here].astype(np.int64))] = row[1][here]
    return column
