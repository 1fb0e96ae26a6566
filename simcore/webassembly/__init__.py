"""The compiled engine as a WebAssembly module: the same rules and the same loop, for a browser or any other host.

universal  a world with the types that any network needs, so that one module runs them all
module     the loop for those types, emitted by LLVM
linking    an object file as a module, without a linker
memory     a world in the module's memory, and back
"""

from simcore.compiled.machine_code import ENTRY
from simcore.webassembly.memory import STACK_END, Layout, layout_of
from simcore.webassembly.module import engine_module
from simcore.webassembly.universal import Room, TooLargeError, kinds, room_of, roomy, universal

__all__ = [
    "ENTRY",
    "STACK_END",
    "Layout",
    "Room",
    "TooLargeError",
    "engine_module",
    "kinds",
    "layout_of",
    "room_of",
    "roomy",
    "universal",
]
