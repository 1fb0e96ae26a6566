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
from simcore.compiled import disciplined, ecn, hosts, interfaces, jitter, ports, rules, tournament
from simcore.compiled.records import EXTRAS, mark
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
    modules = {*_modules(simcore.rules), simcore.log, tournament, ports, hosts, disciplined, interfaces, jitter, ecn}
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
    asked = (rules.ack_arrived, rules.timer_expired, rules.may_send, rules.next_segment, rules.segment_sent)
    for placeholder in asked:
        _dispatch(placeholder, VARIANTS, placeholder.__name__)
    _dispatch(rules.segment_arrived, SINKS, "segment_arrived")
    _dispatch(rules.sink_timer_expired, SINKS, "timer_expired")
    _dispatch(rules.first_packet_s, SOURCES, "first_packet_s")
    _dispatch(rules.next_packet_s, SOURCES, "next_packet_s")
    _dispatch(rules.packet_came, DISCIPLINES, "arrived")
    _dispatch(rules.next_departure, DISCIPLINES, "next_departure")
    _dispatch_if("loss_probability", rules.decision_on_packet, impairment.packet_came, otherwise=str(impairment.QUEUE))
    _dispatch_if("behind", rules.has_discipline, disciplined.has_discipline, otherwise="False")
    _dispatch_if("behind", rules.offer, disciplined.offer, otherwise="0", options=OPTIONS)
    _dispatch_if("behind", rules.fetch, disciplined.fetch, options=OPTIONS)
    _dispatch_if("gap_s", rules.busy_s, interfaces.busy_s, otherwise="transmission_s")
    _dispatch_if("gap_s", rules.is_paused, interfaces.is_paused, otherwise="False")
    _dispatch_if("gap_s", rules.queue_grew, interfaces.queue_grew)
    _dispatch_if("gap_s", rules.queue_shrank, interfaces.queue_shrank)
    _dispatch_if("gap_s", rules.refuses_segment, interfaces.refuses_segment, otherwise="False")
    _dispatch_if("gap_s", rules.tells_congestion, interfaces.tells_congestion, otherwise="False")
    extras = mark(EXTRAS)
    _dispatch_if(extras, rules.hold_back, jitter.hold_back, otherwise="False")
    _dispatch_if(extras, rules.segment_flags, simcore.rules.ecn.segment_flags, otherwise="0")
    _dispatch_if(extras, rules.note_flags, simcore.rules.ecn_sink.segment_arrived)
    _dispatch_if(extras, rules.ack_flags, simcore.rules.ecn_sink.ack_flags, otherwise="0")
    _dispatch_if(extras, rules.read_echo, ecn.read_echo)
    _dispatch_if("ecn", rules.flags_of, ecn.flags_of, otherwise="0")
    _dispatch_if("ecn", rules.set_flags, ecn.set_flags)
    _dispatch_if("ecn", rules.tell_mark, ecn.tell_mark)
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


def _dispatch_if(
    field: str, placeholder: Function, function: Function, otherwise: str = "None", options: Any = INLINED
) -> None:
    """Let numba replace `placeholder` by `function` if its first argument's type has a field, else by a constant.

    What few scenarios have is then compiled, for all others, as if there were no such thing.
    """
    arguments = list(inspect.signature(placeholder).parameters)
    names: dict[str, Any] = {"chosen": lambda record: function if field in record.fields else names["constant"]}
    exec(f"def constant({', '.join(arguments)}):\n    return {otherwise}", names)
    exec(f"def typed({', '.join(arguments)}):\n    return chosen({arguments[0]})", names)
    overload(placeholder, jit_options=options, strict=False)(names["typed"])


def _taking_blocks(record: Any, source: Any) -> Function:
    """`rules.take_blocks` for records of these types: only senders that want blocks have them, and their packets."""
    return _copy_blocks if "blocks" in record.fields and "blocks" in source.fields else _copy_nothing


def _copy_blocks(record: Any, source: Any) -> None:
    record.block_count = source.block_count
    for i in range(2 * source.block_count):
        record.blocks[i] = source.blocks[i]


def _copy_nothing(record: Any, source: Any) -> None:
    pass
