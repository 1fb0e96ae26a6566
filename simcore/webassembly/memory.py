"""A world in the memory of a WebAssembly module: the stack, the arrays' places and lengths, the arrays."""

from typing import Final, NamedTuple

import numpy as np

from simcore.compiled.layout import World
from simcore.webassembly.types import kinds

STACK_END: Final = 1 << 16  # it grows down from here: where it overflows, there is no memory
ALIGNMENT: Final = 16


class Placed(NamedTuple):
    """Where an array lies: its address in bytes, and its lengths."""

    address: int
    shape: tuple[int, ...]


class Layout(NamedTuple):
    """Where all arrays of a world lie, and the addresses of the rows that say so."""

    places: int
    shapes: int
    arrays: dict[str, Placed]
    end: int


def layout_of(world: World) -> Layout:
    """Places for all arrays, one behind the other, behind the stack."""
    shapes = STACK_END + 8 * len(world)
    at = shapes + 8 * sum(array.ndim for array in world)
    arrays = {}
    for name, array in world._asdict().items():
        at = -(-at // ALIGNMENT) * ALIGNMENT
        arrays[name] = Placed(at, array.shape)
        at += array.nbytes
    return Layout(STACK_END, shapes, arrays, at)


def image_of(world: World, layout: Layout) -> bytes:
    """What stands in memory from STACK_END on before the loop is called."""
    image = bytearray(layout.end - STACK_END)
    rows = [[placed.address for placed in layout.arrays.values()], [n for p in layout.arrays.values() for n in p.shape]]
    head = np.array([*rows[0], *rows[1]], np.int64).tobytes()
    image[: len(head)] = head
    for placed, array in zip(layout.arrays.values(), world, strict=True):
        at = placed.address - STACK_END
        image[at : at + array.nbytes] = array.tobytes()
    return bytes(image)


def world_in(image: bytes, layout: Layout) -> World:
    """The world that stands in memory from STACK_END on, as a copy."""
    return World(
        **{
            name: np.frombuffer(
                image, kinds()[name], int(np.prod(placed.shape)), placed.address - STACK_END
            ).reshape(placed.shape).copy()
            for name, placed in layout.arrays.items()
        }
    )  # fmt: skip
