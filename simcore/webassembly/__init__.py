"""The compiled engine as a WebAssembly module: the same rules and the same loop, for a browser or any other host.

types      those of a network that has it all, so that one module runs every scenario
rows       the flows' records of these types, each made once
universal  a world of these types
module     the loop for those types, emitted by LLVM
linking    an object file as a module, without a linker
memory     a world in the module's memory, and back
"""

from simcore.compiled.machine_code import ENTRY
from simcore.webassembly.memory import STACK_END, Layout, layout_of
from simcore.webassembly.module import engine_module
from simcore.webassembly.types import TooLargeError, kinds
from simcore.webassembly.universal import PARTS, Room, part, room_of, roomy, universal

__all__ = [
    "ENTRY",
    "PARTS",
    "STACK_END",
    "Layout",
    "Room",
    "TooLargeError",
    "engine_module",
    "kinds",
    "layout_of",
    "part",
    "room_of",
    "roomy",
    "universal",
]
