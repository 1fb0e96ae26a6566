"""Functions that ask which of several rules answer a call: one of them, by a record's mark, or all that are marked."""

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from llvmlite import ir

from simcore.compiled import arithmetic
from simcore.compiled.dispatch import Answer
from simcore.compiled.values import INT, INTEGER, NOTHING, Kind, Memory, Place, Record, Value, common

if TYPE_CHECKING:
    from simcore.compiled.translation import Translation

Made = tuple[ir.Function, Kind]


def choice_of(translation: "Translation", answers: Sequence[Answer], kinds: tuple[Kind, ...]) -> Made:
    """A function that asks the first argument's marks which rule is meant, and calls that: the last, if no other."""
    rules = [translation.answering(answer, kinds_for(answer, kinds)) for answer in answers]
    result = reduce(common, (kind for _, kind in rules))
    choice = translation.declared("choice", kinds, result)
    builder, arguments = _begun(choice, kinds)
    for answer, (rule, kind) in zip(answers, rules, strict=True):
        is_last = answer is answers[-1]
        following = None if is_last else _if_marked(translation.memory, builder, arguments[0], answer)
        value = _called(translation.memory, builder, answer, rule, arguments)
        returned(builder, Value(kind, (value,)), result)
        if following:
            builder.position_at_end(following)
    return choice, result


def sum_of(translation: "Translation", answers: Sequence[Answer], kinds: tuple[Kind, ...]) -> Made:
    """A function that calls the rules of all marks that the first argument has; it returns the sum of their results."""
    rules = [translation.answering(answer, kinds_for(answer, kinds)) for answer in answers]
    result = INTEGER if rules[0][1].parts else NOTHING.kind
    summing = translation.declared("sum", kinds, result)
    builder, arguments = _begun(summing, kinds)
    total: ir.Value = ir.Constant(INT, 0)
    for answer, (rule, _) in zip(answers, rules, strict=True):
        before = builder.block
        following = _if_marked(translation.memory, builder, arguments[0], answer)
        value = _called(translation.memory, builder, answer, rule, arguments)
        more, after = builder.add(total, value) if result.parts else total, builder.block
        builder.branch(following)
        builder.position_at_end(following)
        if result.parts:
            ways = (total, before), (more, after)
            total = builder.phi(INT)
            for way in ways:
                total.add_incoming(*way)
    returned(builder, Value(result, (total,)), result)
    return summing, result


def with_own(memory: Memory, builder: ir.IRBuilder, answer: Answer, arguments: Sequence[Value]) -> Sequence[Value]:
    """The arguments for an answer: see `dispatch.ByMark` and `dispatch.ByOption`."""
    if answer.own is None:
        return arguments
    owners = arguments[: answer.headers or 1]
    own = [_within(memory, builder, record, answer.own) for record in owners]
    return [arguments[0], *own, *arguments[len(owners) :]]


def kinds_for(answer: Answer, kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The kinds of the arguments that `with_own` gives."""
    if answer.own is None:
        return kinds
    owners = kinds[: answer.headers or 1]
    return (kinds[0], *(_kind_within(kind, answer.own) for kind in owners), *kinds[len(owners) :])


def _within(memory: Memory, builder: ir.IRBuilder, record: Value, name: str) -> Value:
    """The record of a name within a record; itself, where rules remember nothing of their own."""
    if _kind_within(record.kind, name) is record.kind:
        return record
    within = memory.field(builder, record, name)
    assert isinstance(within, Value)
    return within


def _kind_within(kind: Kind, name: str) -> Kind:
    if isinstance(kind, Record) and kind.dtype.fields and name in kind.dtype.fields:
        return Record(kind.dtype.fields[name][0])
    return kind


def _begun(function: ir.Function, kinds: Sequence[Kind]) -> tuple[ir.IRBuilder, list[Value]]:
    """The beginning of a function, and its arguments."""
    parts = iter(function.args)
    arguments = [Value(kind, tuple(next(parts) for _ in kind.parts)) for kind in kinds]
    return ir.IRBuilder(function.append_basic_block()), arguments


def _if_marked(memory: Memory, builder: ir.IRBuilder, record: Value, answer: Answer) -> ir.Block:
    """Go on where the record has an answer's mark; return where one without it does."""
    here, following = (builder.function.append_basic_block() for _ in range(2))
    mark = memory.field(builder, record, str(answer.mark))
    assert isinstance(mark, Place)
    builder.cbranch(mark.load(builder).parts[0], here, following)
    builder.position_at_end(here)
    return following


def _called(
    memory: Memory, builder: ir.IRBuilder, answer: Answer, rule: ir.Function, arguments: Sequence[Value]
) -> ir.Value:
    passed = with_own(memory, builder, answer, arguments)
    return builder.call(rule, [part for argument in passed for part in argument.parts])


def returned(builder: ir.IRBuilder, value: Value, kind: Kind) -> None:
    """Return a value as one of a kind."""
    if kind.parts:
        builder.ret(*arithmetic.as_kind(builder, value, kind).parts)
    else:
        builder.ret_void()
