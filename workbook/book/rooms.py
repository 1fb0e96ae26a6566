"""Which room of the workbook (`workbook.book.layers`) imports which, as the sources say."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from workbook.book.layers import DATA, NOTEBOOKS, ROOMS
from workbook.imports import modules_in

OURS: Final = ("simcore", "workbook")
READ: Final = re.compile(rf"\b(?:places|REPO)\.({'|'.join(DATA)})\b")


class Import(NamedTuple):
    """A file of one room imports a module of another."""

    room: str
    other: str
    path: Path
    module: str

    def __str__(self) -> str:
        return f"{self.path.as_posix()} imports {self.module}"


def imports(root: Path) -> list[Import]:
    """Every import from one room into another, in the order of rooms, files and modules."""
    candidates = (
        Import(room, other, path.relative_to(root), module)
        for room in ROOMS
        for path, source in _sources(room, root)
        for module in sorted(modules_in(source))
        if (other := _room_of(module, root)) not in (None, room)
    )
    return [each for each in candidates if each.other in ROOMS]


def upward(all_imports: list[Import]) -> list[Import]:
    """The imports that go to a room which is named before."""
    return [each for each in all_imports if ROOMS.index(each.other) < ROOMS.index(each.room)]


def readers(root: Path) -> list[tuple[str, str]]:
    """Who names the folder of a kind of data, in the order of rooms: pairs of room and data."""
    pairs = {(room, name) for room in ROOMS for _, source in _sources(room, root) for name in READ.findall(source)}
    return sorted(pairs, key=lambda pair: (ROOMS.index(pair[0]), pair[1]))


def without_implied(arrows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The arrows without those that a longer way says as well. There must be no circle among them."""
    ends: dict[str, list[str]] = {}
    for start, end in dict.fromkeys(arrows):
        ends.setdefault(start, []).append(end)
    return [(start, end) for start in ends for end in ends[start] if not _is_implied(start, end, ends)]


def _is_implied(start: str, end: str, ends: Mapping[str, list[str]]) -> bool:
    @cache
    def leads_there(room: str) -> bool:
        return room == end or any(map(leads_there, ends.get(room, [])))

    return any(leads_there(between) for between in ends[start] if between != end)


def _sources(room: str, root: Path) -> Iterator[tuple[Path, str]]:
    """The Python of a room. What `python -m` runs stands above all rooms: nothing imports it."""
    if room == NOTEBOOKS:
        for path in [*sorted((root / room).glob("*.ipynb")), *sorted((root / room).glob("labs/*.ipynb"))]:
            yield from ((path, code) for code in _cells(path))
        return
    paths = (root / room).glob("*.py") if room in OURS else (root / room).rglob("*.py")
    for path in sorted(paths):
        if path.name != "__main__.py" and not (room in OURS and _is_tool(path)):
            yield path, path.read_text("utf-8")


def _cells(notebook: Path) -> Iterator[str]:
    """The code of a notebook; a cell that is not Python, as with one of IPython's commands, imports nothing."""
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        code = "".join(cell["source"])
        if cell["cell_type"] == "code" and _is_python(code):
            yield code


def _is_python(code: str) -> bool:
    try:
        modules_in(code)
    except SyntaxError:
        return False
    return True


def _room_of(module: str, root: Path) -> str | None:
    """The room of a module or of a name in it; none for what is not ours, and for tools."""
    top, name, *_ = [*module.split("."), ""]
    if top not in OURS or _is_tool(root / top / f"{name}.py"):
        return None
    is_room = (root / top / name / "__init__.py").is_file()
    return f"{top}/{name}" if name and is_room else top


def _is_tool(path: Path) -> bool:
    """A single file that imports nothing of ours serves all layers: paths, bars of progress."""
    return path.is_file() and not any(module.startswith(OURS) for module in modules_in(path.read_text("utf-8")))
