"""The loop as machine code, kept between processes: found in the cache or compiled, loaded, and called.

A process that finds its machine code in the cache needs 40 ms to load it; to compile takes a second or two.

What was compiled lies in a cache directory named by a hash of all sources that went into it: an edited rule is another
directory, never a stale one.
"""

import ctypes
import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
import platformdirs

from simcore.compiled.layout import World
from simcore.compiled.sources import sources_hash

Loop = Callable[[World, int], int]
Types = tuple[np.dtype[Any], ...]

CACHE: Final = Path(platformdirs.user_cache_dir("bottleneck-workbook"))
ENTRY: Final = "simcore_loop"
SIGNATURE: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def compiled_loop() -> Loop:
    """`loop.run_events`, compiled for all rules that are registered now."""
    return _compiled_loop(sources_hash())


@cache
def _compiled_loop(key: str) -> Loop:
    return loop_of(CACHE / key, code_for)


def loop_of(folder: Path, code: Callable[[Any, Path], bytes]) -> Callable[[Any, int], int]:
    """A loop over a world, whose machine code `code` finds in a file of the folder or makes, for the world's types."""
    loaded: dict[Types, Any] = {}

    def run(world: tuple[np.ndarray, ...], most: int) -> int:
        types = tuple(array.dtype for array in world)
        if types not in loaded:
            loaded[types] = _loaded(code(world, folder / f"{_name(types)}.o"))
        # Each array of a world lies in one piece: the first byte and the lengths say all.
        places = np.array([array.ctypes.data for array in world], np.uintp)
        shapes = np.array([length for array in world for length in array.shape], np.int64)
        return loaded[types](places.ctypes.data, shapes.ctypes.data, most)  # type: ignore[no-any-return]

    return run


def this_machine() -> llvm.TargetMachine:
    """What LLVM has to know of the processor to write code for it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(llvm.get_host_cpu_name(), features, opt=2, codemodel="jitdefault", jit=True)


def _name(types: Types) -> str:
    """Names what differs between machine codes of the same sources: the types of the arrays, and the processor."""
    processor = (llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    return hashlib.sha256("\0".join([*map(repr, types), *processor]).encode()).hexdigest()[:16]


def code_for(world: World, file: Path) -> bytes:
    """Machine code from a file of the cache, or compiled."""

    def compiled() -> bytes:
        from simcore.compiled.object_code import object_code

        return object_code(world)

    return kept(file, compiled)


def kept(file: Path, made: Callable[[], bytes]) -> bytes:
    """What a file of the cache holds, or is made; without a place to write, it is made in every process."""
    with suppress(OSError):
        found = file.read_bytes()
        # A file that a crash of the machine cut off could crash us.
        if found[:32] == hashlib.sha256(found[32:]).digest():
            return found[32:]
    code = made()
    with suppress(OSError):
        _keep(code, file)
    return code


def _keep(code: bytes, file: Path) -> None:
    """Write a file of the cache at once: no other process ever reads half of it, and a full disk keeps no part."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}")
    try:
        unfinished.write_bytes(hashlib.sha256(code).digest() + code)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def _loaded(code: bytes) -> Any:
    """The function in `code`. A call of it lets other threads run."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), this_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    function: Any = SIGNATURE(engine.get_function_address(ENTRY))
    function.engine = engine  # whose memory the code lies in
    return function
