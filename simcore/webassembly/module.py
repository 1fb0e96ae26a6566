"""The loop for the universal types, as WebAssembly."""

from functools import cache
from typing import Final

import llvmlite.binding as llvm

from simcore.compiled.machine_code import ENTRY
from simcore.compiled.object_code import emitted
from simcore.webassembly.linking import module_of
from simcore.webassembly.universal import EVERY_KIND, universal

# What every browser has had since 2021: converting a float that is too large gives the largest integer.
FEATURES: Final = "+bulk-memory,+nontrapping-fptoint,+sign-ext"


@cache
def engine_module() -> bytes:
    """The module: it exports `simcore_loop`, and imports its memory, its stack's end, and C's `fmod`.

    The function takes the addresses of the arrays' places (64 bits each) and of their lengths, and the most events; it
    returns what `simcore.compiled.loop.run_events` does.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown")
    machine = target.create_target_machine(cpu="generic", features=FEATURES, opt=3, reloc="static")
    return module_of(emitted(universal(EVERY_KIND), machine), ENTRY)
