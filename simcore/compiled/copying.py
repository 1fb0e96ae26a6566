"""Copy what the translation knows the fields of: headers, and what rules record of their states, whichever they are."""

from llvmlite import ir

from simcore.compiled.arithmetic import converted
from simcore.compiled.records import mark, uses
from simcore.compiled.values import FLOAT, INT, NOTHING, REAL, Array, Memory, Place, Record, Value


def copied(memory: Memory, builder: ir.IRBuilder, row: Value, record: Value) -> Value:
    """Fill the records within a row, each named after a set of rules; those that `record` doesn't follow with NaN.

    What the rules remember is a record of their name within `record`, or their fields are its own.
    """
    for name, dtype in _records_in(row):
        within = name in _names(record)
        source = memory.field(builder, record, name) if within else record
        target, follows = memory.field(builder, row, name), memory.field(builder, record, mark(name))
        assert isinstance(source, Value)
        assert isinstance(target, Value)
        assert isinstance(follows, Place)
        is_followed = follows.load(builder).parts[0]
        for field in dtype:
            found, place = memory.field(builder, source, field), memory.field(builder, target, field)
            assert isinstance(found, Place)
            assert isinstance(place, Place)
            real = converted(builder, found.load(builder), REAL)
            place.store(builder, builder.select(is_followed, real, ir.Constant(FLOAT, float("nan"))))
    return NOTHING


def header_copied(memory: Memory, builder: ir.IRBuilder, target: Value, source: Value) -> Value:
    """Copy a header, field by field; of the options, which are records of their own, what those say that write."""
    assert isinstance(target.kind, Record)
    for name in target.kind.dtype.names or ():
        there, here = memory.field(builder, target, name), memory.field(builder, source, name)
        if not isinstance(there.kind, Record):
            _copy(memory, builder, there, here)
            continue
        writes = memory.field(builder, source, uses(name))
        assert isinstance(writes, Place)
        with builder.if_then(writes.load(builder).parts[0]):
            _copy(memory, builder, there, here)
    return NOTHING


def _copy(memory: Memory, builder: ir.IRBuilder, target: Value | Place, source: Value | Place) -> None:
    if isinstance(target, Place):
        assert isinstance(source, Place)
        target.store(builder, source.load(builder).parts[0])
        return
    assert isinstance(source, Value)
    if isinstance(target.kind, Record):
        for name in target.kind.dtype.names or ():
            _copy(memory, builder, memory.field(builder, target, name), memory.field(builder, source, name))
        return
    assert isinstance(target.kind, Array)
    [length] = target.kind.lengths
    for index in range(length or 0):
        place = [ir.Constant(INT, index)]
        _copy(memory, builder, memory.element(builder, target, place), memory.element(builder, source, place))


def _records_in(row: Value) -> list[tuple[str, tuple[str, ...]]]:
    assert isinstance(row.kind, Record)
    dtype = row.kind.dtype
    return [(name, fields) for name in dtype.names or () if (fields := dtype[name].names)]


def _names(record: Value) -> tuple[str, ...]:
    assert isinstance(record.kind, Record)
    return record.kind.dtype.names or ()
