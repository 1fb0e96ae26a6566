"""Translate the expressions of rules and kernels, which are plain Python functions, to instructions of LLVM."""

import ast
import builtins
import inspect
from collections import ChainMap
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from simcore.compiled import arithmetic
from simcore.compiled.copying import copied, header_copied
from simcore.compiled.intrinsics import copy_header, copy_recorded
from simcore.compiled.values import (
    BOOL,
    INTEGER,
    NOTHING,
    OF_PYTHON,
    REAL,
    TRUTH,
    Array,
    Arrays,
    Kind,
    Known,
    NotCompilableError,
    Place,
    Record,
    Value,
    common,
)

if TYPE_CHECKING:
    from simcore.compiled.translation import Translation


class Expressions:
    """What the expressions of one function come to."""

    def __init__(self, translation: "Translation", function: FunctionType, builder: ir.IRBuilder) -> None:
        self.translation, self.memory = translation, translation.memory
        self.function, self.builder = function, builder
        self.settled: dict[str, Value] = {}  # the names that stand for one value
        self.locals: dict[str, tuple[Kind, list[ir.Value]]] = {}  # other names -> their kind, where their parts are
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        outer = {name: cell.cell_contents for name, cell in cells}
        self._globals = ChainMap(outer, function.__globals__, vars(builtins))

    def value(self, node: ast.expr) -> Value:
        """What an expression comes to when the code runs."""
        return self._as_value(self.evaluated(node))

    def truth(self, node: ast.expr) -> ir.Value | bool:
        """Does an expression count as true? Some are known now."""
        value = self.evaluated(node)
        return bool(value.value) if isinstance(value, Known) else arithmetic.truth(self.builder, value)

    def place(self, node: ast.expr) -> Place:
        """Where the number is kept that a field or an element holds."""
        if isinstance(node, ast.Attribute):
            found = self.memory.field(self.builder, self._of(node.value, Record), node.attr)
        elif isinstance(node, ast.Subscript):
            found = self.memory.element(self.builder, self._of(node.value, Array), self._indices(node.slice))
        else:
            raise NotCompilableError("a value is given to names, fields and elements only")
        if isinstance(found, Value):
            raise NotCompilableError(f"{found.kind.name} is never written as a whole")
        return found

    def evaluated(self, node: ast.expr) -> Value | Known:
        """What an expression comes to, now or when the code runs."""
        match node:
            case ast.Constant(value=value):
                return Known(value)
            case ast.Name(id=name):
                return self._named(name)
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(owner, name)
            case ast.Subscript(value=owner, slice=index):
                array = self._of(owner, Array)
                return self._read(self.memory.element(self.builder, array, self._indices(index)))
            case ast.BinOp(left=left, op=op, right=right):
                return self._operated(arithmetic.combined, type(op), [left, right])
            case ast.UnaryOp(op=op, operand=operand):
                return self._operated(arithmetic.changed, type(op), [operand])
            case ast.Compare():
                return self._comparison(node)
            case ast.BoolOp(op=op, values=values):
                return self._logic(values, is_or=isinstance(op, ast.Or))
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return self._alternative(test, body, otherwise)
            case ast.Call():
                return self._call(node)
        raise NotCompilableError(f"{ast.unparse(node)!r} is nothing that a rule may say")

    def _as_value(self, found: Value | Known) -> Value:
        if isinstance(found, Value):
            return found
        if found.value is None:
            return NOTHING
        kind = OF_PYTHON.get(type(found.value))
        if kind is None:
            raise NotCompilableError(f"{found.value!r} is no number")
        return Value(kind, (ir.Constant(kind.type, found.value),))

    def _named(self, name: str) -> Value | Known:
        if name in self.settled:
            return self.settled[name]
        if name in self.locals:
            kind, slots = self.locals[name]
            return Value(kind, tuple(self.builder.load(slot, typ=slot.allocated_type) for slot in slots))
        if name not in self._globals:
            raise NotCompilableError(f"{name} has no value yet")
        return Known(self._globals[name])

    def _attribute(self, node: ast.expr, name: str) -> Value | Known:
        owner = self.evaluated(node)
        if isinstance(owner, Known):
            return Known(getattr(owner.value, name))
        if isinstance(owner.kind, Arrays):
            return self.memory.array(self.builder, owner, name)
        if isinstance(owner.kind, Record):
            return self._read(self.memory.field(self.builder, owner, name))
        raise NotCompilableError(f"{owner.kind.name} has no {name}")

    def _read(self, found: Value | Place) -> Value:
        return found if isinstance(found, Value) else found.load(self.builder)

    def _of(self, node: ast.expr, kind: type[Record | Array]) -> Value:
        value = self.value(node)
        if not isinstance(value.kind, kind):
            raise NotCompilableError(f"{ast.unparse(node)} is {value.kind.name}")
        return value

    def _indices(self, node: ast.expr) -> list[ir.Value]:
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        values = [self.value(index) for index in nodes]
        if any(isinstance(value.parts[0], ir.Constant) and value.parts[0].constant < 0 for value in values):
            raise NotCompilableError("an index counts from the beginning: an array may be longer than it is in Python")
        return [arithmetic.converted(self.builder, value, INTEGER) for value in values]

    def _operated(self, emit: Callable[..., Value], sign: type[ast.AST], nodes: list[ast.expr]) -> Value | Known:
        operands = [self.evaluated(node) for node in nodes]
        known = [operand.value for operand in operands if isinstance(operand, Known)]
        if len(known) == len(operands):
            return Known(arithmetic.OPERATORS[sign](*known))
        return emit(self.builder, sign, *map(self._as_value, operands))

    def _comparison(self, node: ast.Compare) -> Value | Known:
        sign = type(node.ops[0])
        if sign in (ast.In, ast.NotIn):
            found = self._is_among(self.value(node.left), self.evaluated(node.comparators[0]))
            return found if sign is ast.In else arithmetic.changed(self.builder, ast.Not, found)
        if len(node.ops) == 1:
            return self._operated(arithmetic.compared, sign, [node.left, node.comparators[0]])
        values, all_hold = [self.value(term) for term in (node.left, *node.comparators)], ir.Constant(BOOL, 1)
        for op, one, other in zip(node.ops, values, values[1:], strict=False):
            all_hold = self.builder.and_(all_hold, arithmetic.compared(self.builder, type(op), one, other).parts[0])
        return Value(TRUTH, (all_hold,))

    def _is_among(self, value: Value, group: Value | Known) -> Value:
        if not isinstance(group, Known):
            raise NotCompilableError("`in` asks for one of some constants")
        is_equal = ir.Constant(BOOL, 0)
        for member in group.value:
            equal = arithmetic.compared(self.builder, ast.Eq, value, self._as_value(Known(member)))
            is_equal = self.builder.or_(is_equal, equal.parts[0])
        return Value(TRUTH, (is_equal,))

    def _logic(self, nodes: list[ast.expr], is_or: bool) -> Value | Known:
        """`and` and `or` of truth values: what follows is computed only if it matters."""
        first, rest = self.truth(nodes[0]), nodes[1:]
        if not rest:
            return Known(first) if isinstance(first, bool) else Value(TRUTH, (first,))
        if isinstance(first, bool):
            return Known(is_or) if first == is_or else self._logic(rest, is_or)
        before, end = self.builder.block, self.builder.append_basic_block()
        following = self.builder.append_basic_block()
        self.builder.cbranch(first, *((end, following) if is_or else (following, end)))
        self.builder.position_at_end(following)
        last = self._as_value(self._logic(rest, is_or)).parts
        after = self.builder.block
        self.builder.branch(end)
        return self._joined(end, TRUTH, [((ir.Constant(BOOL, is_or),), before), (last, after)])

    def _joined(self, end: ir.Block, kind: Kind, ways: list[tuple[tuple[ir.Value, ...], ir.Block]]) -> Value:
        """Go on at `end` with the parts of the value that the way which led there has found."""
        self.builder.position_at_end(end)
        phis = [self.builder.phi(part) for part in kind.parts]
        for parts, block in ways:
            for phi, part in zip(phis, parts, strict=True):
                phi.add_incoming(part, block)
        return Value(kind, tuple(phis))

    def _alternative(self, test: ast.expr, body: ast.expr, otherwise: ast.expr) -> Value | Known:
        condition = self.truth(test)
        if isinstance(condition, bool):
            return self.evaluated(body if condition else otherwise)
        ways = [self.builder.append_basic_block() for _ in range(2)]
        end = self.builder.append_basic_block()
        self.builder.cbranch(condition, *ways)
        values = []
        for way, node in zip(ways, (body, otherwise), strict=True):
            self.builder.position_at_end(way)
            values.append((self.value(node), self.builder.block))
        kind = common(*(value.kind for value, _ in values))
        same = []
        for value, block in values:
            self.builder.position_at_end(block)
            same.append((arithmetic.as_kind(self.builder, value, kind).parts, block))
            self.builder.branch(end)
        return self._joined(end, kind, same)

    def _call(self, node: ast.Call) -> Value | Known:
        function = self.evaluated(node.func)
        if not isinstance(function, Known):
            raise NotCompilableError(f"{ast.unparse(node.func)} is no function")
        arguments = [self.value(argument) for argument in node.args]
        named = {word.arg: self.value(word.value) for word in node.keywords if word.arg}
        return self._called(function.value, arguments, named)

    def _called(self, function: Any, arguments: list[Value], named: dict[str, Value]) -> Value | Known:
        match function:
            case builtins.min | builtins.max:
                return arithmetic.chosen(self.builder, ast.Lt if function is min else ast.Gt, arguments)
            case builtins.int:
                return arithmetic.as_integer(self.builder, *arguments)
            case builtins.float:
                return Value(REAL, (arithmetic.converted(self.builder, arguments[0], REAL),))
            case builtins.bool:
                return Value(TRUTH, (arithmetic.truth(self.builder, *arguments),))
            case builtins.abs:
                return arithmetic.absolute(self.builder, *arguments)
            case builtins.len:
                return Value(INTEGER, (self.memory.lengths(*arguments)[0],))
        if function is copy_recorded:
            return copied(self.memory, self.builder, *arguments)
        if function is copy_header:
            return header_copied(self.memory, self.builder, *arguments)
        if function in arithmetic.FUNCTIONS:
            return arithmetic.called(self.builder, function, arguments)
        return self.translation.call(self.builder, function, self._bound(function, arguments, named))

    def _bound(self, function: Any, arguments: list[Value], named: dict[str, Value]) -> list[Value]:
        """All arguments in order, defaults included."""
        if not isinstance(function, FunctionType):
            raise NotCompilableError(f"{function!r} cannot be called from a rule")
        if not named and len(arguments) == function.__code__.co_argcount:
            return arguments
        bound = inspect.signature(function).bind(*arguments, **named)
        bound.apply_defaults()
        return [
            value if isinstance(value, Value) else self._as_value(Known(value)) for value in bound.arguments.values()
        ]
