"""The loop as machine code, kept between processes: found in the cache or compiled, loaded, and called.

A process that finds its machine code in the cache needs 40 ms to load it; to compile takes a second or two.

The cache has two steps. Machine code is named by a hash of the text in LLVM's language that it was compiled from, with
all that decides how. That name is found without translating anything: a hash of all sources leads to it. So an edited
rule is never served by what was compiled before; another comment is translated, in a fifth of the time, and gives the
same text, which is compiled already.
"""

import ctypes
import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import llvmlite
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
def _compiled_loop(sources: str) -> Loop:
    def translated(world: World) -> str:
        from simcore.compiled import loop, object_code  # only where it is not in the cache

        return object_code.translated(world, this_machine(), loop.run_events)

    return loop_of(CACHE / sources, translated)


def loop_of(folder: Path, translated: Callable[[Any], str]) -> Callable[[Any, int], int]:
    """A loop over a world, from the cache or translated from the sources that name the folder, for the types it has."""
    loaded: dict[Types, Any] = {}

    def run(world: tuple[np.ndarray, ...], most: int) -> int:
        types = tuple(array.dtype for array in world)
        if types not in loaded:
            code = code_for(folder / _name(types), lambda: translated(world), _compiled)
            loaded[types] = _loaded(code)
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
    return hashlib.sha256("\0".join([*map(repr, types), *_processor()]).encode()).hexdigest()[:16]


def _processor() -> tuple[str, str, str]:
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _compiled(text: str) -> bytes:
    from simcore.compiled import object_code

    return object_code.compiled(text, this_machine())


def code_for(file: Path, translated: Callable[[], str], compiled: Callable[[str], bytes], *ways: str) -> bytes:
    """What `compiled` makes of the text that `translated` gives, from the cache or made.

    `file` is for the code's name: its own must say all that decides what `translated` gives. `ways` are the files that
    decide, beside those here, what `compiled` makes of it.
    """
    texts: list[str] = []

    def text() -> str:
        if not texts:
            texts.append(translated())
        return texts[0]

    name = kept(file.with_suffix(".name"), lambda: name_of(text(), ways).encode()).decode()
    return kept(CACHE / "code" / name, lambda: compiled(text()))


def name_of(text: str, ways: Sequence[str] = ()) -> str:
    """Names what is compiled from a text on this kind of processor, by this version of LLVM, in our way."""
    from simcore.compiled import object_code

    sources = (Path(file).read_text("utf-8") for file in (__file__, object_code.__file__, *ways))
    parts = (text, *_processor(), llvmlite.__version__, *sources)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def kept(file: Path, made: Callable[[], bytes]) -> bytes:
    """What a file of the cache holds, or is made; without a place to write, it is made in every process."""
    with suppress(OSError):
        content = file.read_bytes()
        # A file that a crash of the machine cut off could crash us.
        if content[:32] == hashlib.sha256(content[32:]).digest():
            return content[32:]
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
