"""Translate functions with all that they call to a module of LLVM: once for each kinds of arguments.

Rules and kernels are plain Python functions of numbers, records and arrays, in a small part of the language: they may
say what `Expressions.evaluated` and `Body._run` know. There are no objects to make or to count, nothing is raised and
no name changes its kind, so that each statement is a few instructions.

numba did this until 2026-11. It compiled each of 150 functions by itself, those that it calls included, and a new kind
of network took 12 to 35 CPU seconds. Here all are translated once and optimized together, in one or two.
"""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FunctionType

from llvmlite import ir

from simcore.compiled import arithmetic
from simcore.compiled.answering import choice_of, returned, sum_of, with_own
from simcore.compiled.definitions import definition_of, given_once
from simcore.compiled.dispatch import Answer, answers_to
from simcore.compiled.expressions import Expressions
from simcore.compiled.values import (
    INT,
    INTEGER,
    NOTHING,
    OF_PYTHON,
    Array,
    Kind,
    Known,
    Memory,
    NotCompilableError,
    Nothing,
    Value,
    common,
)

VOID = ir.VoidType()


class WiderError(Exception):
    """A name or a result holds more than what was seen of it first: a float, not an integer. Begin again."""


@dataclass
class Kinds:
    """What is known of a function's names and of its result."""

    locals: dict[str, Kind] = field(default_factory=dict)
    result: Kind | None = None


class Translation:
    """A module that grows with each function that is asked for."""

    def __init__(self, module: ir.Module) -> None:
        self.module, self.memory = module, Memory(module)
        self._made: dict[tuple[Callable[..., object], tuple[Kind, ...]], tuple[ir.Function, Kind]] = {}
        self._making: list[FunctionType] = []

    def call(self, builder: ir.IRBuilder, function: Callable[..., object], arguments: Sequence[Value]) -> Value | Known:
        """Call a function, or what answers to its name for records of these kinds."""
        kinds = tuple(argument.kind for argument in arguments)
        answers = answers_to(function, kinds)
        if not answers:
            raise NotCompilableError("no rule answers to records of such a kind")
        if len(answers) > 1 or answers[0].headers:
            made, result = self._several(function, answers, kinds)
        elif isinstance(answers[0].found, FunctionType):
            arguments = with_own(self.memory, builder, answers[0], arguments)
            made, result = self.answering(answers[0], tuple(argument.kind for argument in arguments))
        else:
            return Known(answers[0].found)
        returned = builder.call(made, [part for argument in arguments for part in argument.parts])
        return Value(result, (returned,)) if result.parts else NOTHING

    def made(self, function: Callable[..., object], kinds: tuple[Kind, ...]) -> tuple[ir.Function, Kind]:
        """A function for arguments of these kinds, and what it returns."""
        if (function, kinds) not in self._made:
            if function in self._making:
                raise NotCompilableError(f"{function.__name__} calls itself")
            assert isinstance(function, FunctionType)
            self._making.append(function)
            self._made[function, kinds] = self._make(function, kinds)
            self._making.pop()
        return self._made[function, kinds]

    def answering(self, answer: Answer, kinds: tuple[Kind, ...]) -> tuple[ir.Function, Kind]:
        """The function that is an answer, for arguments of these kinds, and what it returns."""
        assert isinstance(answer.found, FunctionType)
        made, result = self.made(answer.found, kinds)
        if answer.apart:
            made.attributes.discard("alwaysinline")
        return made, result

    def _several(
        self, function: Callable[..., object], answers: Sequence[Answer], kinds: tuple[Kind, ...]
    ) -> tuple[ir.Function, Kind]:
        if (function, kinds) not in self._made:
            make = sum_of if answers[0].headers else choice_of
            self._made[function, kinds] = make(self, answers, kinds)
        return self._made[function, kinds]

    def _make(self, function: FunctionType, kinds: tuple[Kind, ...]) -> tuple[ir.Function, Kind]:
        known = Kinds(result=OF_PYTHON.get(function.__annotations__.get("return", object)))
        while True:
            result = known.result or Nothing()
            made = self.declared(function.__name__, kinds, result)
            try:
                Body(self, function, made, known).translate(kinds)
            except WiderError:
                del self.module.globals[made.name]
            else:
                return made, result

    def declared(self, name: str, kinds: Sequence[Kind], result: Kind) -> ir.Function:
        """A new function of the module, without instructions."""
        parts = [part for kind in kinds for part in kind.parts]
        signature = ir.FunctionType(result.parts[0] if result.parts else VOID, parts)
        declared = ir.Function(self.module, signature, self.module.get_unique_name(name))
        declared.linkage = "internal"
        declared.attributes.add("nounwind")
        declared.attributes.add("alwaysinline")
        return declared


class Body(Expressions):
    """The statements of one function."""

    def __init__(self, translation: Translation, function: FunctionType, made: ir.Function, known: Kinds) -> None:
        self._entry = made.append_basic_block("entry")
        super().__init__(translation, function, ir.IRBuilder(made.append_basic_block("body")))
        self._made, self._known = made, known
        self._once: set[str] = set()
        self._loops: list[tuple[ir.Block, ir.Block]] = []  # where `continue` and `break` go

    def translate(self, kinds: Sequence[Kind]) -> None:
        """Fill the function with instructions."""
        definition, parts = definition_of(self.function), iter(self._made.args)
        body = self.builder.block
        self._once = given_once(definition)
        for argument, kind in zip(definition.args.args, kinds, strict=True):
            self._assign(argument.arg, Value(kind, tuple(next(parts) for _ in kind.parts)))
        self.run(definition.body)
        if not self.builder.block.is_terminated:
            self._return(NOTHING)
        ir.IRBuilder(self._entry).branch(body)

    def run(self, statements: Sequence[ast.stmt]) -> None:
        """One statement after the other; none that is never reached."""
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            try:
                self._run(statement)
            except NotCompilableError as error:
                if error.is_explained:
                    raise
                raise _explained(error, self.function, statement) from None

    def _run(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._give(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._give(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                self._change(target, type(op), value)
            case ast.If():
                self._if(statement)
            case ast.While():
                self._while(statement)
            case ast.For():
                self._for(statement)
            case ast.Return(value=result):
                self._return(self.value(result) if result else NOTHING)
            case ast.Expr(value=value):
                self.evaluated(value)
            case ast.Break():
                self.builder.branch(self._loops[-1][1])
            case ast.Continue():
                self.builder.branch(self._loops[-1][0])
            case ast.Pass():
                pass
            case _:
                raise NotCompilableError(f"{ast.unparse(statement).splitlines()[0]!r} is nothing that a rule may say")

    def _give(self, target: ast.expr, node: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(node, ast.Tuple):
            for one, value in zip(target.elts, [self.value(element) for element in node.elts], strict=True):
                self._store(one, value)
        else:
            self._store(target, self.value(node))

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign(target.id, value)
        else:
            place = self.place(target)
            place.store(self.builder, arithmetic.converted(self.builder, value, place.kind))

    def _assign(self, name: str, value: Value) -> None:
        """Give a name a value; one that may change has room, which is made in the function's first block."""
        if name in self._once:
            self.settled[name] = value
            return
        kind = common(self._known.locals.get(name, value.kind), value.kind)
        self._known.locals[name] = kind
        if name not in self.locals:
            entry = ir.IRBuilder(self._entry)
            self.locals[name] = kind, [entry.alloca(part) for part in kind.parts]
        elif self.locals[name][0] != kind:
            raise WiderError
        for part, slot in zip(arithmetic.as_kind(self.builder, value, kind).parts, self.locals[name][1], strict=True):
            self.builder.store(part, slot)

    def _change(self, target: ast.expr, sign: type[ast.AST], node: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._assign(target.id, arithmetic.combined(self.builder, sign, self.value(target), self.value(node)))
            return
        place = self.place(target)
        changed = arithmetic.combined(self.builder, sign, place.load(self.builder), self.value(node))
        place.store(self.builder, arithmetic.converted(self.builder, changed, place.kind))

    def _return(self, value: Value) -> None:
        kind = common(self._known.result or value.kind, value.kind)
        if self._known.result != kind:
            self._known.result = kind
            if kind.parts:
                raise WiderError
        returned(self.builder, value, kind)

    def _if(self, node: ast.If) -> None:
        condition = self.truth(node.test)
        if isinstance(condition, bool):
            self.run(node.body if condition else node.orelse)
            return
        ways = [self.builder.append_basic_block() for _ in range(2)]
        self.builder.cbranch(condition, *ways)
        open_ends = []
        for way, statements in zip(ways, (node.body, node.orelse), strict=True):
            self.builder.position_at_end(way)
            self.run(statements)
            if not self.builder.block.is_terminated:
                open_ends.append(self.builder.block)
        if open_ends:
            end = self.builder.append_basic_block()
            for block in open_ends:
                ir.IRBuilder(block).branch(end)
            self.builder.position_at_end(end)

    def _while(self, node: ast.While) -> None:
        head, body, end = (self.builder.append_basic_block() for _ in range(3))
        self.builder.branch(head)
        self.builder.position_at_end(head)
        condition = self.truth(node.test)
        is_endless = condition is True
        if isinstance(condition, bool):
            self.builder.branch(body if condition else end)
        else:
            self.builder.cbranch(condition, body, end)
        self._loop(node.body, body, head, end)
        if is_endless and not any(isinstance(inner, ast.Break) for inner in ast.walk(node)):
            self.builder.unreachable()

    def _loop(self, statements: Sequence[ast.stmt], body: ir.Block, again: ir.Block, end: ir.Block) -> None:
        self._loops.append((again, end))
        self.builder.position_at_end(body)
        self.run(statements)
        if not self.builder.block.is_terminated:
            self.builder.branch(again)
        self._loops.pop()
        self.builder.position_at_end(end)

    def _for(self, node: ast.For) -> None:
        """Through the numbers of a range, or the records of an array."""
        array = None
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=limits):
                values = [self.value(limit) for limit in limits]
            case _:
                array = self.value(node.iter)
                if not isinstance(array.kind, Array):
                    raise NotCompilableError("a loop goes through a range or an array")
                values = [Value(INTEGER, (self.memory.lengths(array)[0],))]
        now, body, again, end = self._counted([arithmetic.converted(self.builder, value, INTEGER) for value in values])
        item = self._read(self.memory.element(self.builder, array, [now])) if array else Value(INTEGER, (now,))
        self._store(node.target, item)
        self._loop(node.body, body, again, end)

    def _counted(self, limits: list[ir.Value]) -> tuple[ir.Value, ir.Block, ir.Block, ir.Block]:
        """The number that a range has come to, its loop's body, where it goes on, and its end; go on in the body."""
        first, limit = (ir.Constant(INT, 0), limits[0]) if len(limits) == 1 else limits[:2]
        step = limits[2] if len(limits) == 3 else ir.Constant(INT, 1)
        if not isinstance(step, ir.Constant):
            raise NotCompilableError("the step of a range is a constant")
        counter = ir.IRBuilder(self._entry).alloca(INT)
        self.builder.store(first, counter)
        head, body, again, end = (self.builder.append_basic_block() for _ in range(4))
        self.builder.branch(head)
        self.builder.position_at_end(head)
        now = self.builder.load(counter, typ=INT)
        self.builder.cbranch(self.builder.icmp_signed("<" if step.constant > 0 else ">", now, limit), body, end)
        with self.builder.goto_block(again):
            self.builder.store(self.builder.add(now, step, flags=["nsw"]), counter)
            self.builder.branch(head)
        self.builder.position_at_end(body)
        return now, body, again, end


def _explained(error: NotCompilableError, function: FunctionType, statement: ast.stmt) -> NotCompilableError:
    """The error with the place in the rule."""
    where = f"{function.__module__}.{function.__name__}, line {statement.lineno}"
    return NotCompilableError(f"the rule {where}, cannot be compiled: {error}", is_explained=True)
