"""Compile the loop for the types of records that a network has, to object code that needs no Python to run.

This module is imported when something has to be compiled, and not otherwise (see `simcore.compiled.machine_code`).
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import llvmlite.binding as llvm
from llvmlite import ir

from simcore.compiled.machine_code import ENTRY
from simcore.compiled.translation import Translation
from simcore.compiled.values import INTEGER, Array, Arrays

AnyWorld = Any  # a NamedTuple of arrays
SPEED_LEVEL: Final = 1


def compiled(text: str, machine: llvm.TargetMachine) -> bytes:
    """A module in LLVM's language as object code for a machine."""
    module = llvm.parse_assembly(text)
    _optimize(module, machine)
    return machine.emit_object(module)  # type: ignore[no-any-return]


def _optimize(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """Inline what is to be inlined, and simplify each function once.

    LLVM's list of passes for a whole module does that several times: it takes three to four times as long, and the
    loop then runs a twentieth faster (see docs/design.md).
    """
    options = llvm.create_pipeline_tuning_options(SPEED_LEVEL)
    options.loop_unrolling = False  # the loops of rules are short
    builder = llvm.create_pass_builder(machine, options)
    inlining = llvm.create_new_module_pass_manager()
    inlining.add_always_inliner_pass()
    inlining.add_global_dead_code_eliminate_pass()
    inlining.run(module, builder)
    simplifying = builder.getFunctionPassManager()
    for function in module.functions:
        if not function.is_declaration:
            simplifying.run(function, builder)


def translated(world: AnyWorld, machine: llvm.TargetMachine, function: Callable[[Any, int], int]) -> str:
    """A loop, for all worlds whose arrays have the types of this one's, named ENTRY, in LLVM's language.

    C calls it with the place of each array, the lengths of them all in a row, and the most events. What it calls nobody
    else sees. Raises NotCompilableError for a rule that does what machine code without Python cannot do.
    """
    module = ir.Module("loop")
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    arrays = zip(world._fields, world, strict=True)
    kinds = Arrays(tuple((name, Array(array.dtype, (None,) * array.ndim)) for name, array in arrays))
    with _without_garbage_collection():
        entry, _ = Translation(module).made(function, (kinds, INTEGER))
        entry.name, entry.linkage = ENTRY, "external"
        return str(module)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """A module's objects live as long as it does; to look for garbage among them takes a fifth of the translation."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
