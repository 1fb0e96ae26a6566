"""The module in wasmtime, as an engine: a scenario's outcome, to compare with that of the compiled one."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import wasmtime

from simcore import Scenario
from simcore.compiled import loop
from simcore.compiled.engine import log_of, remaining_of, totals_of
from simcore.compiled.layout import World
from simcore.compiled.machine_code import ENTRY
from simcore.compiled.memory import roomier
from simcore.network.topology import topology_of
from simcore.results.log import Outcome
from simcore.webassembly.memory import STACK_END, image_of, layout_of, world_in
from simcore.webassembly.module import engine_module
from simcore.webassembly.universal import Room, roomy, universal

PAGE_BYTES = 1 << 16
MOST_EVENTS = 1 << 40


@cache
def _compiled() -> tuple[wasmtime.Engine, wasmtime.Module]:
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, engine_module())


def outcome(scenario: Scenario) -> Outcome:
    """Run a scenario in the module."""
    return outcome_of(universal(scenario), scenario)


def outcome_in(room: Room, scenario: Scenario) -> Outcome:
    """The same in a world of a page, with the ports' numbers that the scenario has."""
    found, numbers = outcome_of(roomy(universal(scenario), scenario, room), scenario), room.numbers(scenario)
    own = {number: port for port, number in enumerate(numbers)}
    links = np.array([own[int(link)] for link in found.log.event_link], np.uint16)
    assert all(number in own for number, uids in found.remaining.items() if uids)
    remaining = {port: found.remaining[number] for number, port in own.items()}
    return found._replace(log=replace(found.log, event_link=links), remaining=remaining)


def outcome_of(world: World, scenario: Scenario) -> Outcome:
    """Run a world of a scenario."""
    while (state := _run(world))[0] == loop.CROWDED:
        world = roomier(state[1])
    assert state[0] == loop.FINISHED
    world = state[1]
    return Outcome(log_of(world, topology_of(scenario).routes), totals_of(world), remaining_of(world), scenario.end_s)


def _run(world: World) -> tuple[int, World]:
    """Call the loop once, in an instance and a memory of its own."""
    engine, module = _compiled()
    layout, store = layout_of(world), wasmtime.Store(engine)
    memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(-(-layout.end // PAGE_BYTES), None)))
    real, address = wasmtime.ValType.f64(), wasmtime.ValType.i32()
    here: dict[str, wasmtime.Memory | wasmtime.Global | wasmtime.Func] = {
        "__linear_memory": memory,
        "__stack_pointer": wasmtime.Global(store, wasmtime.GlobalType(address, True), wasmtime.Val.i32(STACK_END)),
        "fmod": wasmtime.Func(store, wasmtime.FuncType([real, real], [real]), math.fmod),
        "log": wasmtime.Func(store, wasmtime.FuncType([real], [real]), math.log),
        "exp": wasmtime.Func(store, wasmtime.FuncType([real], [real]), math.exp),
        "pow": wasmtime.Func(store, wasmtime.FuncType([real, real], [real]), math.pow),
    }
    linked = wasmtime.Instance(store, module, [here[wanted.name or ""] for wanted in module.imports])
    memory.write(store, image_of(world, layout), STACK_END)
    run = linked.exports(store)[ENTRY]
    assert isinstance(run, wasmtime.Func)
    state = run(store, layout.places, layout.shapes, MOST_EVENTS)
    return int(np.int64(state)), world_in(bytes(memory.read(store, STACK_END, layout.end)), layout)
