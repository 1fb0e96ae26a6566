"""docs/architecture.md: two pictures made from the code, whose boxes are links. `make figures` writes it.

`python -m workbook.book.architecture` writes it alone.
"""

import ast
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

from workbook.book.layers import DATA as STORED
from workbook.book.layers import LAYERS
from workbook.book.mermaid import DASHED, PLAIN, THICK, Arrow, Box, Group, flowchart, name_of
from workbook.book.rooms import imports, readers, upward, without_implied
from workbook.book.stations import (
    ACKS,
    BUILDER,
    DATA,
    RULES,
    Station,
    asked,
    asked_of_other_folders,
    stations,
)
from workbook.export.files import replacing
from workbook.paths import REPO, Places

PAGE: Final = "architecture.md"
TEXT: Final = """\
# Architecture

Two pictures, made from the sources by [workbook/book/architecture.py](../workbook/book/architecture.py): what imports
what, and how a packet comes through the model. They are never drawn by hand; `make figures` draws them again. Why it
is so says [design.md](design.md).

Each box is a link to its folder or file. Some forges show the pictures, but do not follow links in them: the lists
below each picture have the same links.

## Rooms and layers

The rooms of the workbook, in layers. An arrow is an import: it points to what is imported, and so downwards. What an
arrow says that longer ways say as well is left out. A room may import all that it reaches, and most do. A broken
arrow is no import: it leads from files to the lowest room that reads them.

{upward}

{rooms}

{room_list}

Left out are single files that import nothing of ours and serve all layers, such as
[simcore/extras.py](../simcore/extras.py) and [workbook/paths.py](../workbook/paths.py), and what `python -m` runs.

## The way of a packet and of an ACK

The process model, [simcore/process](../simcore/process): the stations in the order in which a packet comes through
them, and its ACK on the way back. The sender and the receiver are in both ways. A broken arrow leads to the rules
that a station asks: a station keeps time and packets, and knows nothing of TCP; a rule knows TCP, and no clock. It is
drawn once for each file, to what that file imports of [simcore/rules](../simcore/rules). Rules lead to the folders
that they ask in turn: there lie the controls, recoveries and slow starts, one file each. What lies in no folder of
the rules, as random numbers do, is in the list alone.

{way}

{station_list}

With more bottlenecks in a row, or a link before the receiver, router, port and link are passed again for each. Without
a link of its own a host stands at the router. A packet of a UDP flow is not answered: behind its last link it is
gone. The compiled engine, [simcore/compiled](../simcore/compiled), asks the same rules in the same order.
"""


def renew_architecture(places: Places) -> None:
    """Write the page anew, where there is one: a workbook without the sources has none. Raises OSError."""
    if not (places.docs / PAGE).is_file():
        return
    with replacing(places.docs / PAGE) as temporary:
        temporary.write_text(page(places.root), "utf-8")


def page(root: Path) -> str:
    """The page as the sources below `root` have it."""
    return TEXT.format(
        upward=_upward_list(root),
        rooms=_rooms(root),
        room_list="\n\n".join(_room_list(root)),
        way=_way(root),
        station_list="\n".join(_station_table(root)),
    )


def _rooms(root: Path) -> str:
    groups = [
        Group(f"layer_{number}", layer.title, [_box("room", room, room) for room in layer.rooms])
        for number, layer in enumerate(LAYERS, start=1)
    ]
    all_imports = imports(root)
    wrong = upward(all_imports)
    down = [(each.room, each.other) for each in all_imports if each not in wrong]
    arrows = [*without_implied([*down, *readers(root)]), *dict.fromkeys((each.room, each.other) for each in wrong)]
    up = {(each.room, each.other) for each in wrong}
    return flowchart("TB", groups, [_import(start, end, is_up=(start, end) in up) for start, end in arrows])


def _import(start: str, end: str, *, is_up: bool) -> Arrow:
    """An import, or who reads data: the data then stand above."""
    if end in STORED:
        return Arrow(name_of("room", end), name_of("room", start), DASHED)
    return Arrow(name_of("room", start), name_of("room", end), THICK if is_up else PLAIN)


def _upward_list(root: Path) -> str:
    wrong = upward(imports(root))
    if not wrong:
        return "No import goes up."
    lines = (f"- {_link(each.path, each.path.as_posix())} imports `{each.module}`" for each in wrong)
    return "\n".join(["Thick arrows go up, against the rule:", "", *lines])


def _room_list(root: Path) -> Iterator[str]:
    for layer in LAYERS:
        lines = (f"- [{room}](../{room}): {_first_words(room, root)}" for room in layer.rooms)
        yield "\n".join([f"**{layer.title}**", "", *lines])


def _way(root: Path) -> str:
    named = stations([(BUILDER,), *DATA])
    modules = _rules_of(named, root)
    ways = [
        Group("way_builder", "The network", [_station_box(BUILDER)]),
        Group("way_data", "The way of a packet", [_station_box(each) for each in stations(DATA)]),
        Group("way_acks", "The way of its ACK", [_station_box(each) for each in stations(ACKS[1:-1])]),
    ]
    folders = {module.parent for module in modules}
    further = [pair for pair in asked_of_other_folders(modules, root) if pair[1] not in folders]
    arrows = [*_along(DATA), *_along(ACKS), *_rule_arrows(named, root)]
    arrows += [Arrow(_group_name(start), name_of("rule", end.as_posix()), DASHED) for start, end in further]
    return flowchart("TB", [*ways, *_rule_groups(modules, further)], arrows)


def _rule_groups(modules: list[Path], further: Iterable[tuple[Path, Path]]) -> Iterator[Group]:
    """The modules that stations ask, by folder; then the folders that these ask, a box for each."""
    for folder in dict.fromkeys(module.parent for module in modules):
        yield _rule_group(folder, [each for each in modules if each.parent == folder])
    yield from (_rule_group(folder, [folder]) for folder in dict.fromkeys(end for _, end in further))


def _rules_of(named: Iterable[Station], root: Path) -> list[Path]:
    """The modules in folders of the rules; those beside the folders are numbers and tools."""
    return sorted({path for each in named for path in asked(each.file, root) if path.parent != RULES})


def _along(steps: tuple[tuple[Station, ...], ...]) -> Iterator[Arrow]:
    for step, following in pairwise(steps):
        yield from (Arrow(name_of("at", start.name), name_of("at", end.name)) for start in step for end in following)


def _rule_arrows(named: Iterable[Station], root: Path) -> Iterator[Arrow]:
    """From each file's last station: of a port that is the bottleneck's."""
    for station in {each.file: each for each in named}.values():
        for module in _rules_of([station], root):
            yield Arrow(name_of("at", station.name), name_of("rule", module.as_posix()), DASHED)


def _station_table(root: Path) -> Iterator[str]:
    yield from ("| station | what it is | which rules it asks |", "|---|---|---|")
    for file in dict.fromkeys(each.file for each in stations([(BUILDER,), *DATA])):
        rules = ", ".join(_link(path, path.relative_to(RULES)) for path in asked(file, root))
        yield f"| {_link(file, file.name)} | {_sentence(root / file)} | {rules} |"


def _station_box(station: Station) -> Box:
    return _box("at", station.name, f"{station.words}<br>{station.file.name}", station.file)


def _rule_group(folder: Path, paths: Iterable[Path]) -> Group:
    boxes = [_box("rule", path.as_posix(), path.stem, path) for path in paths]
    return Group(_group_name(folder), folder.as_posix(), boxes)


def _group_name(folder: Path) -> str:
    return name_of("rules", folder.name)


def _box(kind: str, name: str, words: str, path: Path | None = None) -> Box:
    return Box(name_of(kind, name), words, f"../{path.as_posix() if path else name}")


def _link(path: Path, words: object) -> str:
    return f"[{words}](../{path.as_posix()})"


def _first_words(room: str, root: Path) -> str:
    """What a room says of itself; folders that are no packages are told by `Places`."""
    if (package := root / room / "__init__.py").is_file():
        return _sentence(package)
    return str(getattr(Places, room).__doc__).partition("\n")[0]


def _sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return text.partition("\n")[0]


if __name__ == "__main__":
    renew_architecture(REPO)
