"""Compile the loop for the types of records that a network has, to object code that needs no numba to run.

This module is imported when something has to be compiled, and not otherwise (see `simcore.compiled.machine_code`).
"""

from itertools import count
from typing import Any, Final

import llvmlite.binding as llvm
import numba
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.np.arrayobj import get_cfarray_intrinsic

from simcore.compiled import jit, loop
from simcore.compiled.layout import World
from simcore.compiled.machine_code import ENTRY, this_machine
from simcore.compiled.sources import Function

SIGNATURE: Final = "int64(CPointer(voidptr), CPointer(int64), int64)"
NOT_OURS: Final = ("Py", "_Py", "numba_", "NRT_")  # what Python and numba's runtime export


def object_code(world: World) -> bytes:
    """`loop.run_events` for all worlds whose arrays have the types of this one's, named ENTRY.

    Raises TypeError for a rule that needs Python or numba at run time, as one that raises an exception does.
    """
    jit.make_compilable()
    module = _optimized(_entry(world))
    passes = llvm.create_new_module_pass_manager()
    passes.add_ipsccp_pass()  # nothing raises, it sees, so that what numba adds to tell of it is never reached,
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()  # and goes
    passes.run(module, llvm.create_pass_builder(this_machine(), llvm.create_pipeline_tuning_options()))
    missing = sorted(f.name for f in module.functions if f.is_declaration and f.name.startswith(NOT_OURS))
    if missing:
        raise TypeError(f"a rule cannot be compiled, it needs {', '.join(missing)}; does it raise an exception?")
    return this_machine().emit_object(module)  # type: ignore[no-any-return]


def _entry(world: World) -> Function:
    """`loop.run_events` as C calls it: with the place of each array, and the lengths of them all in a row."""
    run_events = numba.njit(inline="always", **jit.OPTIONS)(loop.run_events)
    names: dict[str, Any] = {"run_events": run_events, "World": World}
    arrays, dimension = [], count()
    for i, array in enumerate(world):
        names[f"array_{i}"] = get_cfarray_intrinsic("C", numba.typeof(array.dtype))
        shape = "".join(f"shapes[{next(dimension)}], " for _ in array.shape)
        arrays.append(f"array_{i}(places[{i}], ({shape}))")
    exec(f"def entry(places, shapes, most):\n    return run_events(World({', '.join(arrays)}), most)", names)
    return names["entry"]  # type: ignore[no-any-return]


def _optimized(entry: Function) -> llvm.ModuleRef:
    """The function for C and all that it calls, which nobody else sees, as numba optimizes it.

    `numba.cfunc` would do, but only shows a module after LLVM has made machine code of it, which leaves it changed:
    code made of that is 8 % slower.
    """
    flags: Any = Flags()
    flags.no_compile = flags.no_cpython_wrapper = True
    flags.error_model = jit.OPTIONS["error_model"]
    arguments, result = normalize_signature(SIGNATURE)
    with global_compiler_lock:
        compiled = compile_extra(
            cpu_target.typing_context, cpu_target.target_context, entry, arguments, result, flags, {}
        )
        compiled.library.finalize()
    module = llvm.parse_assembly(compiled.library.get_llvm_str())
    for function in module.functions:
        if function.name == compiled.fndesc.llvm_cfunc_wrapper_name:
            function.name = ENTRY
        elif not function.is_declaration:
            function.linkage = "internal"
    return module
