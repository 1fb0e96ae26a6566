"""The cells in blocks: what is simulated, sent and written at once."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, prod
from typing import Final

Batch = tuple[slice, ...]  # a block of the cells: positions along each dimension

BATCHES: Final = 64  # at least so many, if there are enough cells: to share out, and to lose little when killed
MOST_CELLS: Final = 1000  # in a batch


def batch_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """The size of a batch, and of a chunk of the store, so that no two batches write to one file.

    It depends on nothing but the cells, so that the store has the same files on every machine.
    """
    room = min(ceil(prod(shape) / BATCHES), MOST_CELLS)
    sizes: list[int] = []
    for size in reversed(shape):
        pieces = ceil(size / room)
        sizes.append(ceil(size / pieces))
        room = max(room // sizes[-1], 1)
    return tuple(reversed(sizes))


def batches(shape: Sequence[int]) -> Iterator[Batch]:
    """All cells, block by block."""
    steps = zip(shape, batch_shape(shape), strict=True)
    return product(*([slice(i, min(i + step, size)) for i in range(0, size, step)] for size, step in steps))


def cells_of(batch: Batch) -> Iterator[tuple[int, ...]]:
    """The positions of a batch's cells, the last dimension fastest."""
    return product(*(range(block.start, block.stop) for block in batch))


def shape_of(batch: Batch) -> tuple[int, ...]:
    """The size of a batch along each dimension."""
    return tuple(block.stop - block.start for block in batch)


def cells_in(batch: Batch) -> int:
    """The number of a batch's cells."""
    return prod(shape_of(batch))
