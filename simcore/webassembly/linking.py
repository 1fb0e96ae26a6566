"""An object file of one function as a WebAssembly module, without a linker.

LLVM writes indices and addresses that are right as long as there is one object with its data at address 0. What is
missing is an export; the sections for linkers are left out. WebAssembly Core Specification 2.0, section 5.5;
"linking": WebAssembly tool conventions, Linking.md.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

MAGIC: Final = b"\0asm\1\0\0\0"
CUSTOM, EXPORT, START, DATA = 0, 7, 8, 11
SYMBOL_TABLE: Final = 8  # a subsection of "linking"
FUNCTION_SYMBOL: Final = 0
UNDEFINED: Final = 0x10  # a symbol's flag: imported
NAMED: Final = 0x40  # a symbol's flag: an imported function has a name of its own


class Section(NamedTuple):
    """A part of a module: its kind, its name if it is a custom one, and what is in it."""

    kind: int
    name: str
    body: bytes


def module_of(code: bytes, entry: str) -> bytes:
    """The module of an object file; it exports `entry` and imports what the object does.

    Raises ValueError if it has data, or no such function.
    """
    sections = [*_sections(code)]
    if any(section.kind == DATA for section in sections):
        raise ValueError("the object has data, which nobody places in memory")
    linking = next(section.body for section in sections if section.name == "linking")
    index = _function(linking, entry)
    export = b"\1" + _text(entry) + b"\0" + _unsigned(index)
    needed = [section for section in sections if section.kind != CUSTOM]
    before = [section for section in needed if section.kind < EXPORT]
    behind = [section for section in needed if section.kind > EXPORT]
    return MAGIC + b"".join(map(_written, [*before, Section(EXPORT, "", export), *behind]))


class Reader:
    """Numbers and names, one after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def unsigned(self) -> int:
        """A number in LEB128."""
        number = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def take(self, count: int) -> bytes:
        """So many bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def text(self) -> str:
        """A name."""
        return self.take(self.unsigned()).decode()


def _sections(code: bytes) -> Iterator[Section]:
    if code[: len(MAGIC)] != MAGIC:
        raise ValueError("this is no WebAssembly object")
    reader = Reader(code, len(MAGIC))
    while reader.at < len(code):
        kind = reader.unsigned()
        inside = Reader(reader.take(reader.unsigned()))
        name = inside.text() if kind == CUSTOM else ""
        yield Section(kind, name, inside.data[inside.at :])


def _function(linking: bytes, entry: str) -> int:
    """The index of a function, which the table of symbols tells."""
    reader = Reader(linking)
    reader.unsigned()  # the version
    while reader.at < len(linking):
        kind, size = reader.unsigned(), reader.unsigned()
        body = reader.take(size)
        if kind == SYMBOL_TABLE:
            found = dict(_functions(Reader(body)))
            if entry in found:
                return found[entry]
    raise ValueError(f"the object has no function {entry}")


def _functions(reader: Reader) -> Iterator[tuple[str, int]]:
    """The object's own functions, which stand before what else it has symbols of: names and indices."""
    for _ in range(reader.unsigned()):
        kind, flags = reader.take(1)[0], reader.unsigned()
        index = reader.unsigned()  # of a function, a global or a table; the object has no data
        name = "" if flags & UNDEFINED and not flags & NAMED else reader.text()
        if kind == FUNCTION_SYMBOL and not flags & UNDEFINED:
            yield name, index


def _written(section: Section) -> bytes:
    return bytes([section.kind]) + _unsigned(len(section.body)) + section.body


def _text(text: str) -> bytes:
    return _unsigned(len(text.encode())) + text.encode()


def _unsigned(number: int) -> bytes:
    """A number in LEB128."""
    found = bytearray()
    while number >= 0x80:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])
