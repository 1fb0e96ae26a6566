"""What compiled code computes with: numbers, records, arrays, and the world, each as values of LLVM.

A kind says what a value is; its parts are the values of LLVM that it consists of. A record is passed on by its address,
an array by its address and its lengths.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from llvmlite import ir

BOOL: Final = ir.IntType(1)
INT: Final = ir.IntType(64)
FLOAT: Final = ir.DoubleType()
BYTE: Final = ir.IntType(8)
ADDRESS: Final = ir.PointerType()

DType = np.dtype[Any]


class NotCompilableError(TypeError):
    """Rules may do less than Python can: what was found, where, and what is allowed."""

    def __init__(self, told: str, *, is_explained: bool = False) -> None:
        super().__init__(told)
        self.is_explained = is_explained  # does it say where?


@dataclass(frozen=True)
class Scalar:
    """A number or a truth value. Each rank can hold the values of those below it."""

    name: str
    rank: int
    type: ir.Type

    @property
    def parts(self) -> tuple[ir.Type, ...]:
        """The types of its parts."""
        return (self.type,)


TRUTH: Final = Scalar("a truth value", 0, BOOL)
INTEGER: Final = Scalar("an integer", 1, INT)
REAL: Final = Scalar("a float", 2, FLOAT)
OF_PYTHON: Final[Mapping[type, Scalar]] = {bool: TRUTH, int: INTEGER, float: REAL}
OF_NUMPY: Final[Mapping[str, Scalar]] = {"b": TRUTH, "i": INTEGER, "u": INTEGER, "f": REAL}


@dataclass(frozen=True)
class Nothing:
    """What a function without a result returns."""

    name = "nothing"
    parts = ()


@dataclass(frozen=True)
class Record:
    """An element of an array with named fields."""

    dtype: DType
    name = "a record"
    parts = (ADDRESS,)


@dataclass(frozen=True)
class Array:
    """Elements in one piece; the lengths that are not known now are parts."""

    dtype: DType
    lengths: tuple[int | None, ...]
    name = "an array"

    @property
    def parts(self) -> tuple[ir.Type, ...]:
        """The types of its parts."""
        return (ADDRESS, *(INT for length in self.lengths if length is None))


@dataclass(frozen=True)
class Arrays:
    """The world: arrays by name, whose addresses and lengths stand in two rows in memory."""

    arrays: tuple[tuple[str, Array], ...]
    name = "the world"
    parts = (ADDRESS, ADDRESS)


Kind = Scalar | Nothing | Record | Array | Arrays


def common(one: Kind, other: Kind) -> Kind:
    """The kind that can hold values of both."""
    if one == other:
        return one
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return max(one, other, key=lambda kind: kind.rank)
    raise NotCompilableError(f"{other.name} where {one.name} is as well")


@dataclass(frozen=True)
class Value:
    """A value that is known when the compiled code runs."""

    kind: Kind
    parts: tuple[ir.Value, ...]


@dataclass(frozen=True)
class Known:
    """A value that is known now: a number, or a module or function that a name stands for."""

    value: Any


NOTHING: Final = Value(Nothing(), ())


class Memory:
    """Reads and writes fields and elements. Those of different names never lie at the same place, LLVM is told."""

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._root = module.add_metadata(["simcore"])
        self._constant = module.add_metadata([])
        self._tags: dict[str, ir.values.MDValue] = {}

    def field(self, builder: ir.IRBuilder, record: Value, name: str) -> "Value | Place":
        """A field of a record: its place, or itself if it is an array or a record."""
        assert isinstance(record.kind, Record)
        fields = record.kind.dtype.fields
        if fields is None or name not in fields:
            raise NotCompilableError(f"a record has no field {name}")
        dtype, offset = fields[name][:2]
        return self._at(_moved(builder, record.parts[0], ir.Constant(INT, offset)), dtype, name)

    def element(self, builder: ir.IRBuilder, array: Value, indices: list[ir.Value]) -> "Value | Place":
        """An element of an array, likewise."""
        assert isinstance(array.kind, Array)
        if len(indices) != len(array.kind.lengths):
            raise NotCompilableError(f"an array with {len(array.kind.lengths)} dimensions has as many indices")
        place = indices[0]
        for index, length in zip(indices[1:], self.lengths(array)[1:], strict=True):
            place = builder.add(builder.mul(place, length), index)
        dtype = array.kind.dtype
        offset = builder.mul(place, ir.Constant(INT, dtype.itemsize), flags=["nsw"])
        return self._at(_moved(builder, array.parts[0], offset), dtype, f"elements {dtype.str}")

    def lengths(self, array: Value) -> list[ir.Value]:
        """How long an array is, by dimension."""
        assert isinstance(array.kind, Array)
        unknown = iter(array.parts[1:])
        return [next(unknown) if length is None else ir.Constant(INT, length) for length in array.kind.lengths]

    def array(self, builder: ir.IRBuilder, world: Value, name: str) -> Value:
        """An array of the world."""
        assert isinstance(world.kind, Arrays)
        places, shapes = world.parts
        dimension = 0
        for number, (other, kind) in enumerate(world.kind.arrays):
            if other == name:
                address = self._fixed(builder, places, number, ADDRESS)
                lengths = [self._fixed(builder, shapes, dimension + i, INT) for i in range(len(kind.lengths))]
                return Value(kind, (address, *lengths))
            dimension += len(kind.lengths)
        raise NotCompilableError(f"the world has no {name}")

    def _fixed(self, builder: ir.IRBuilder, row: ir.Value, number: int, kind: ir.Type) -> ir.Value:
        """An entry of a row that nobody writes to while the loop runs."""
        value = builder.load(_moved(builder, row, ir.Constant(INT, 8 * number)), typ=kind)
        value.set_metadata("invariant.load", self._constant)
        return value

    def _at(self, address: ir.Value, dtype: DType, name: str) -> "Value | Place":
        if dtype.subdtype:
            return Value(Array(*dtype.subdtype), (address,))
        if dtype.names is not None:
            return Value(Record(dtype), (address,))
        return Place(address, dtype, self._tag(name), name)

    def _tag(self, name: str) -> ir.values.MDValue:
        """What tells LLVM apart where numbers of different names lie."""
        if name not in self._tags:
            tag = self._module.add_metadata([name, self._root, ir.Constant(INT, 0)])
            self._tags[name] = self._module.add_metadata([tag, tag, ir.Constant(INT, 0)])
        return self._tags[name]


def _moved(builder: ir.IRBuilder, address: ir.Value, offset: ir.Value) -> ir.Value:
    return builder.gep(address, [offset], inbounds=True, source_etype=BYTE)


@dataclass(frozen=True)
class Place:
    """Where a number is kept in memory, in a type of numpy's."""

    address: ir.Value
    dtype: DType
    tag: ir.values.MDValue
    name: str

    @property
    def kind(self) -> Scalar:
        """What is kept there."""
        return OF_NUMPY[self.dtype.kind]

    def load(self, builder: ir.IRBuilder) -> Value:
        """Read it."""
        value = builder.load(self.address, align=1, typ=self._type())  # records are packed
        value.set_metadata("tbaa", self.tag)
        if self.kind == TRUTH:
            value = builder.trunc(value, BOOL)
        elif self.kind == INTEGER and self.dtype.itemsize < 8:
            value = (builder.sext if self.dtype.kind == "i" else builder.zext)(value, INT)
        return Value(self.kind, (value,))

    def store(self, builder: ir.IRBuilder, value: ir.Value) -> None:
        """Write it."""
        if self.kind == TRUTH:
            value = builder.zext(value, BYTE)
        elif self.kind == INTEGER and self.dtype.itemsize < 8:
            value = builder.trunc(value, self._type())
        stored = builder.store(value, self.address, align=1)
        stored.set_metadata("tbaa", self.tag)

    def _type(self) -> ir.Type:
        return FLOAT if self.kind == REAL else ir.IntType(8 * self.dtype.itemsize)
