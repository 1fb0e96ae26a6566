"""How numba compiles the rules and kernels, which are plain Python functions: it is applied to them from here."""

import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from numba.extending import overload, register_jitable

import simcore.log
import simcore.rules
from simcore.compiled import disciplined, hosts, interfaces, ports, rules, tournament
from simcore.compiled.layout import NO_QUEUE
from simcore.compiled.records import mark
from simcore.compiled.sources import Function, rule_functions
from simcore.rules import impairment
from simcore.rules.disciplines import DISCIPLINES
from simcore.rules.sinks import SINKS
from simcore.rules.sources import SOURCES
from simcore.rules.variants import VARIANTS

OPTIONS: Final[Any] = {
    "_nrt": False,  # no reference counts: the loop makes no arrays, and counting took three quarters of its time
    "error_model": "numpy",  # no check for a division by zero; rates and windows are positive by validation
}
INLINED: Final[Any] = OPTIONS | {"forceinline": True}  # handing the world's arrays from call to call took two thirds


def make_compilable() -> None:
    """Let numba compile whatever the loop calls, for all rules that are registered now."""
    for function in _functions():
        _make_compilable(function)
    _make_dispatchable()


def _modules(package: ModuleType) -> list[ModuleType]:
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    return [import_module(f"{package.__name__}.{name}") for name in names]


def _functions() -> Iterable[Function]:
    """Every function that compiled code may call."""
    modules = {*_modules(simcore.rules), simcore.log, tournament, ports, hosts, disciplined, interfaces}
    modules |= {import_module(f.__module__) for f in rule_functions()}
    for module in modules:
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                yield function


@cache
def _make_compilable(function: Function) -> None:
    register_jitable(**INLINED)(function)


@cache
def _make_dispatchable() -> None:
    for placeholder in (rules.ack_arrived, rules.timer_expired, rules.next_segment, rules.segment_sent):
        _dispatch(placeholder, VARIANTS, placeholder.__name__)
    _dispatch(rules.segment_arrived, SINKS, "segment_arrived")
    _dispatch(rules.sink_timer_expired, SINKS, "timer_expired")
    _dispatch(rules.first_packet_s, SOURCES, "first_packet_s")
    _dispatch(rules.next_packet_s, SOURCES, "next_packet_s")
    _dispatch(rules.packet_came, DISCIPLINES, "arrived")
    _dispatch(rules.next_departure, DISCIPLINES, "next_departure")
    overload(rules.decision_on_packet, jit_options=INLINED, strict=False)(_deciding)
    overload(rules.has_discipline, jit_options=INLINED, strict=False)(_having_discipline)
    overload(rules.offer, jit_options=OPTIONS, strict=False)(_offering)
    overload(rules.fetch, jit_options=OPTIONS, strict=False)(_fetching)
    overload(rules.busy_s, jit_options=INLINED, strict=False)(_being_busy)
    overload(rules.is_paused, jit_options=INLINED, strict=False)(_being_paused)
    overload(rules.queue_grew, jit_options=OPTIONS, strict=False)(_growing)
    overload(rules.queue_shrank, jit_options=OPTIONS, strict=False)(_shrinking)
    overload(rules.refuses_segment, jit_options=INLINED, strict=False)(_refusing)
    overload(rules.tells_congestion, jit_options=INLINED, strict=False)(_telling)
    overload(rules.take_blocks, jit_options=INLINED, strict=False)(_taking_blocks)


def _dispatch(placeholder: Function, registry: Mapping[str, Any], event: str) -> None:
    """Let numba replace `placeholder` by calls of the rules that a record's type has marks for."""
    arguments = ", ".join(inspect.signature(placeholder).parameters)

    def chosen(record: Any) -> Function:
        present = {name: getattr(registry[name], event) for name in registry if mark(name) in record.fields}
        return _chain(present, arguments)

    names = {"chosen": chosen}
    exec(f"def typed({arguments}):\n    return chosen(state)", names)
    overload(placeholder, jit_options=INLINED, strict=False)(names["typed"])


def _chain(present: Mapping[str, Function], arguments: str) -> Function:
    lines = [f"    if state.{mark(name)}:\n        return rule_{i}({arguments})" for i, name in enumerate(present)]
    lines[-1] = f"    return rule_{len(present) - 1}({arguments})"
    names: dict[str, Any] = {f"rule_{i}": function for i, function in enumerate(present.values())}
    exec("\n".join([f"def chain({arguments}):", *lines]), names)
    return names["chain"]  # type: ignore[no-any-return]


def _taking_blocks(record: Any, source: Any) -> Function:
    """`rules.take_blocks` for records of these types: only senders that want blocks have them, and their packets."""
    return _copy_blocks if "blocks" in record.fields and "blocks" in source.fields else _copy_nothing


def _copy_blocks(record: Any, source: Any) -> None:
    record.block_count = source.block_count
    for i in range(2 * source.block_count):
        record.blocks[i] = source.blocks[i]


def _copy_nothing(record: Any, source: Any) -> None:
    pass


# Where no port has a discipline, or none an interface's equipment, the answers are constants: plain drop-tail is
# compiled as if there were nothing else. So are those about losses on purpose.


def _deciding(state: Any, stream: Any) -> Function:
    return impairment.packet_came if "loss_probability" in state.fields else (lambda state, stream: impairment.QUEUE)


def _having_discipline(queue: Any, port: Any) -> Function:
    return (lambda queue, port: port.queue != NO_QUEUE) if _has_lines(queue) else (lambda queue, port: False)


def _offering(queue: Any, w: Any, p: Any, uid: Any, flow: Any, seq: Any, size: Any, hop: Any) -> Function:
    return disciplined.offer if _has_lines(queue) else (lambda queue, w, p, uid, flow, seq, size, hop: 0)


def _fetching(queue: Any, w: Any, p: Any) -> Function:
    return disciplined.fetch if _has_lines(queue) else (lambda queue, w, p: None)


def _being_busy(port: Any, transmission_s: Any) -> Function:
    return interfaces.busy_s if _is_equipped(port) else (lambda port, transmission_s: transmission_s)


def _being_paused(port: Any) -> Function:
    return interfaces.is_paused if _is_equipped(port) else (lambda port: False)


def _growing(port: Any, w: Any, p: Any) -> Function:
    return interfaces.queue_grew if _is_equipped(port) else (lambda port, w, p: None)


def _shrinking(port: Any, w: Any, p: Any) -> Function:
    return interfaces.queue_shrank if _is_equipped(port) else (lambda port, w, p: None)


def _refusing(port: Any) -> Function:
    return interfaces.refuses_segment if _is_equipped(port) else (lambda port: False)


def _telling(port: Any) -> Function:
    return interfaces.tells_congestion if _is_equipped(port) else (lambda port: False)


def _has_lines(queue: Any) -> bool:
    return "behind" in queue.fields


def _is_equipped(port: Any) -> bool:
    return "gap_s" in port.fields
