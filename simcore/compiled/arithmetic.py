"""Python's operators and functions for numbers, as instructions of LLVM."""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Final

from llvmlite import ir

from simcore.compiled.values import INT, INTEGER, REAL, TRUTH, Kind, NotCompilableError, Scalar, Value

Emit = Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]

OPERATORS: Final[Mapping[type[ast.AST], Callable[..., object]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitAnd: operator.and_, ast.BitXor: operator.xor,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.USub: operator.neg, ast.Not: operator.not_, ast.Invert: operator.invert,
    ast.UAdd: operator.pos,
}  # fmt: skip
COMPARISONS: Final[Mapping[type[ast.AST], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="
}  # fmt: skip
FUNCTIONS: Final[Mapping[Callable[..., object], str]] = {
    math.sqrt: "llvm.sqrt", math.exp: "llvm.exp", math.log: "llvm.log", math.pow: "llvm.pow", math.fabs: "llvm.fabs"
}  # fmt: skip


def converted(builder: ir.IRBuilder, value: Value, kind: Scalar) -> ir.Value:
    """The same number as another kind, of the same rank or a higher one."""
    if not isinstance(value.kind, Scalar):
        raise NotCompilableError(f"{value.kind.name} where {kind.name} is needed")
    if value.kind.rank > kind.rank:
        raise NotCompilableError(f"{value.kind.name} where {kind.name} is needed")
    (number,) = value.parts
    if value.kind == kind:
        return number
    if kind == INTEGER:
        return builder.zext(number, INT)
    return (builder.uitofp if value.kind == TRUTH else builder.sitofp)(number, kind.type)


def as_kind(builder: ir.IRBuilder, value: Value, kind: Kind) -> Value:
    """The same value as another kind that can hold it."""
    return Value(kind, (converted(builder, value, kind),)) if isinstance(kind, Scalar) else value


def truth(builder: ir.IRBuilder, value: Value) -> ir.Value:
    """Does a number count as true?"""
    if value.kind == TRUTH:
        return value.parts[0]
    if value.kind == INTEGER:
        return builder.icmp_signed("!=", value.parts[0], ir.Constant(INT, 0))
    return builder.fcmp_unordered("!=", converted(builder, value, REAL), ir.Constant(REAL.type, 0.0))


def widest(*values: Value, least: Scalar = TRUTH) -> Scalar:
    """The kind that can hold all of these."""
    kinds = [value.kind for value in values]
    for kind in kinds:
        if not isinstance(kind, Scalar):
            raise NotCompilableError(f"{kind.name} where a number is needed")
    return max((least, *(kind for kind in kinds if isinstance(kind, Scalar))), key=lambda kind: kind.rank)


def compared(builder: ir.IRBuilder, sign: type[ast.AST], a: Value, b: Value) -> Value:
    """Compare two numbers."""
    if sign not in COMPARISONS:
        raise NotCompilableError("such a comparison is not known")
    kind = widest(a, b, least=INTEGER)
    compare = builder.icmp_signed if kind == INTEGER else builder.fcmp_ordered
    if kind == REAL and sign is ast.NotEq:
        compare = builder.fcmp_unordered
    return Value(TRUTH, (compare(COMPARISONS[sign], converted(builder, a, kind), converted(builder, b, kind)),))


def combined(builder: ir.IRBuilder, sign: type[ast.AST], a: Value, b: Value) -> Value:
    """An operator between two numbers."""
    kind = widest(a, b, least=REAL if sign is ast.Div else INTEGER)
    emit = (_OF_REALS if kind == REAL else _OF_INTEGERS).get(sign)
    if emit is None:
        raise NotCompilableError(f"{kind.name} has no operator {sign.__name__}")
    return Value(kind, (emit(builder, converted(builder, a, kind), converted(builder, b, kind)),))


def changed(builder: ir.IRBuilder, sign: type[ast.AST], a: Value) -> Value:
    """An operator before a number."""
    if sign is ast.Not:
        return Value(TRUTH, (builder.not_(truth(builder, a)),))
    kind = widest(a, least=INTEGER)
    number = converted(builder, a, kind)
    if sign is ast.USub:
        return Value(kind, (builder.fneg(number) if kind == REAL else builder.neg(number),))
    if sign is ast.Invert and kind == INTEGER:
        return Value(kind, (builder.not_(number),))
    raise NotCompilableError(f"{kind.name} has no operator {sign.__name__}")


def chosen(builder: ir.IRBuilder, sign: type[ast.AST], values: list[Value]) -> Value:
    """`min` (with `<`) or `max` (with `>`): of equals the first, as in Python."""
    kind, best = widest(*values), values[0]
    for value in values[1:]:
        better = compared(builder, sign, value, best).parts[0]
        number = builder.select(better, converted(builder, value, kind), converted(builder, best, kind))
        best = Value(kind, (number,))
    return best


def called(builder: ir.IRBuilder, function: Callable[..., object], values: list[Value]) -> Value:
    """A function of the C library."""
    numbers = [converted(builder, value, REAL) for value in values]
    intrinsic = builder.module.declare_intrinsic(
        FUNCTIONS[function], [REAL.type], ir.FunctionType(REAL.type, [REAL.type] * len(numbers))
    )
    return Value(REAL, (builder.call(intrinsic, numbers),))


def as_integer(builder: ir.IRBuilder, value: Value) -> Value:
    """`int`: what stands before the point."""
    if value.kind == REAL:
        return Value(INTEGER, (builder.fptosi(value.parts[0], INT),))
    return Value(INTEGER, (converted(builder, value, INTEGER),))


def absolute(builder: ir.IRBuilder, value: Value) -> Value:
    """`abs`."""
    if value.kind == REAL:
        return called(builder, math.fabs, [value])
    number = converted(builder, value, INTEGER)
    is_negative = builder.icmp_signed("<", number, ir.Constant(INT, 0))
    return Value(INTEGER, (builder.select(is_negative, builder.neg(number), number),))


def _floor_mod(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    """The remainder that has the sign of the divisor."""
    rest = builder.srem(a, b)
    return builder.select(_is_off(builder, rest, b), builder.add(rest, b), rest)


def _floor_div(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    """The quotient, rounded down."""
    quotient, rest = builder.sdiv(a, b), builder.srem(a, b)
    return builder.select(_is_off(builder, rest, b), builder.sub(quotient, ir.Constant(INT, 1)), quotient)


def _is_off(builder: ir.IRBuilder, rest: ir.Value, divisor: ir.Value) -> ir.Value:
    signs_differ = builder.icmp_signed("<", builder.xor(rest, divisor), ir.Constant(INT, 0))
    return builder.and_(signs_differ, builder.icmp_signed("!=", rest, ir.Constant(INT, 0)))


def _float_mod(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    """As CPython's float_rem: C's fmod, moved to the sign of the divisor."""
    zero = ir.Constant(REAL.type, 0.0)
    rest = builder.frem(a, b)
    differ = builder.xor(builder.fcmp_ordered("<", b, zero), builder.fcmp_ordered("<", rest, zero))
    is_off = builder.and_(differ, builder.fcmp_unordered("!=", rest, zero))
    return builder.select(is_off, builder.fadd(rest, b), rest)


def _exact(name: str) -> Emit:
    """An operator of integers, which don't overflow: Python's never do."""
    return lambda builder, a, b: getattr(builder, name)(a, b, flags=["nsw"])


def _plain(name: str) -> Emit:
    return lambda builder, a, b: getattr(builder, name)(a, b)


_OF_INTEGERS: Final[Mapping[type[ast.AST], Emit]] = {
    ast.Add: _exact("add"), ast.Sub: _exact("sub"), ast.Mult: _exact("mul"), ast.FloorDiv: _floor_div,
    ast.Mod: _floor_mod, ast.LShift: _plain("shl"), ast.RShift: _plain("ashr"), ast.BitOr: _plain("or_"),
    ast.BitAnd: _plain("and_"), ast.BitXor: _plain("xor"),
}  # fmt: skip
_OF_REALS: Final[Mapping[type[ast.AST], Emit]] = {
    ast.Add: _plain("fadd"), ast.Sub: _plain("fsub"), ast.Mult: _plain("fmul"), ast.Div: _plain("fdiv"),
    ast.Mod: _float_mod,
    ast.Pow: lambda builder, a, b: called(builder, math.pow, [Value(REAL, (a,)), Value(REAL, (b,))]).parts[0],
}  # fmt: skip
