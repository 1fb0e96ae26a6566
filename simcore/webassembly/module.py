"""The loop for the universal types, as WebAssembly."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import llvmlite.binding as llvm

import simcore.webassembly
from simcore.compiled import loop
from simcore.compiled.machine_code import CACHE, ENTRY, code_for
from simcore.compiled.sources import sources_hash
from simcore.webassembly import linking
from simcore.webassembly.types import every_kind, kinds
from simcore.webassembly.universal import universal

# What every browser has had since 2021: converting a float that is too large gives the largest integer.
FEATURES: Final = "+bulk-memory,+nontrapping-fptoint,+sign-ext"


def engine_module() -> bytes:
    """The module: it exports `simcore_loop`, and imports its memory, its stack's end, and C's `fmod`.

    The function takes the addresses of the arrays' places (64 bits each) and of their lengths, and the most events; it
    returns what `simcore.compiled.loop.run_events` does. It is kept in the cache, as machine code is. Controls that
    somebody registered are in it.
    """
    return _once(sources_hash())


@cache
def _once(sources: str) -> bytes:
    return made(sources)


def made(sources: str) -> bytes:
    """The module of these sources, from the cache or emitted."""
    own = hashlib.sha256(repr(kinds()).encode())
    for file in sorted(Path(simcore.webassembly.__path__[0]).glob("*.py")):
        own.update(file.read_bytes())
    return code_for(CACHE / sources / own.hexdigest()[:16], _translated, _compiled, __file__, linking.__file__)


def _translated() -> str:
    from simcore.compiled import object_code  # only where it is not in the cache

    return object_code.translated(universal(every_kind()), _machine(), loop.run_events)


def _compiled(text: str) -> bytes:
    from simcore.compiled import object_code

    return linking.module_of(object_code.compiled(text, _machine()), ENTRY)


def _machine() -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown")
    return target.create_target_machine(cpu="generic", features=FEATURES, opt=3, reloc="static")
