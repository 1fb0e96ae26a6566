"""Copy what rules record of their states into a row, whichever rules they are: the translation knows their fields."""

from llvmlite import ir

from simcore.compiled.arithmetic import converted
from simcore.compiled.records import mark
from simcore.compiled.values import FLOAT, NOTHING, REAL, Memory, Place, Record, Value


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


def _records_in(row: Value) -> list[tuple[str, tuple[str, ...]]]:
    assert isinstance(row.kind, Record)
    dtype = row.kind.dtype
    return [(name, fields) for name in dtype.names or () if (fields := dtype[name].names)]


def _names(record: Value) -> tuple[str, ...]:
    assert isinstance(record.kind, Record)
    return record.kind.dtype.names or ()
