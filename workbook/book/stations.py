"""The way of a packet and of its ACK through the process model: the stations in order, and the rules that each asks.

Only the order is written here. What a station asks is what its file imports of `simcore.rules`.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from workbook.imports import modules_in

MODEL: Final = Path("simcore/process")
RULES: Final = Path("simcore/rules")


class Station(NamedTuple):
    """A place that packets come through, and its file."""

    name: str
    words: str
    file: Path


def _station(name: str, words: str, file: str) -> Station:
    return Station(name, words, MODEL / file)


BUILDER: Final = _station("builder", "builds them all", "network.py")
SENDER: Final = _station("sender", "TCP sender", "sender.py")
RECEIVER: Final = _station("receiver", "TCP receiver", "receiver.py")
DATA: Final = (
    (SENDER, _station("udp", "UDP sender", "udp.py")),
    (_station("host_port", "port of the host", "port.py"),),
    (_station("host_link", "link of the host", "link.py"),),
    (_station("router", "router", "router.py"),),
    (
        _station("bottleneck", "port of the bottleneck, drop-tail", "port.py"),
        _station("disciplined", "port of the bottleneck, any other queue", "disciplined_port.py"),
    ),
    (_station("bottleneck_link", "link of the bottleneck", "link.py"),),
    (RECEIVER,),
)
ACKS: Final = (
    (RECEIVER,),
    (_station("back_port", "port of the way back", "port.py"),),
    (_station("back_link", "link of the way back", "link.py"),),
    (_station("back_router", "router", "router.py"),),
    (_station("last_port", "port to the host", "port.py"),),
    (_station("last_link", "link to the host", "link.py"),),
    (SENDER,),
)
"""Each step's stations; where a step has two, a packet comes through one of them."""


def stations(steps: Iterable[Iterable[Station]]) -> list[Station]:
    """The stations of a way, one after the other."""
    return [station for step in steps for station in step]


def asked(file: Path, root: Path) -> list[Path]:
    """The rule modules that a file of the model, or of the rules, imports; sorted."""
    files = {_file_of(module, root) for module in modules_in((root / file).read_text("utf-8"))}
    return sorted(path for path in files if path and path != file)


def asked_of_other_folders(files: Iterable[Path], root: Path) -> list[tuple[Path, Path]]:
    """Pairs of folders of the rules: the modules `files` in the one import modules in the other."""
    pairs = {(file.parent, other.parent) for file in files for other in asked(file, root)}
    return sorted((start, end) for start, end in pairs if start != end and RULES not in (start, end))


def _file_of(module: str, root: Path) -> Path | None:
    """The file of the rules that a module, or a name in it, stands in."""
    path = Path(*module.split("."))
    candidates = [each.with_suffix(".py") for each in (path, path.parent) if each.is_relative_to(RULES)]
    return next((each for each in candidates if (root / each).is_file()), None)
