"""Flow charts as Mermaid's text, which forges draw: boxes in groups, arrows, and a link for each box."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

Way = Literal["TB", "LR"]
DASHED: Final = "-.->"
PLAIN: Final = "-->"
THICK: Final = "==>"


class Box(NamedTuple):
    """A box: what Mermaid calls it, what people read in it, and where it leads, seen from the page."""

    name: str
    words: str
    link: str


class Group(NamedTuple):
    """Boxes with a frame around them."""

    name: str
    words: str
    boxes: Sequence[Box]


class Arrow(NamedTuple):
    """An arrow between two boxes or groups, by their names."""

    start: str
    end: str
    line: str = PLAIN


def name_of(kind: str, path: str) -> str:
    """What Mermaid calls a box. The kind stands before it: a room named `end` would end the chart."""
    return f"{kind}_{''.join(letter if letter.isalnum() else '_' for letter in path)}"


def flowchart(way: Way, groups: Iterable[Group], arrows: Iterable[Arrow]) -> str:
    """The chart as a fenced block of Markdown. Its direction is `way`."""
    groups = list(groups)
    lines = [f"flowchart {way}", *(line for group in groups for line in _group(group))]
    lines += [f"  {arrow.start} {arrow.line} {arrow.end}" for arrow in arrows]
    lines += [f'  click {box.name} href "{box.link}"' for group in groups for box in group.boxes]
    return "\n".join(["```mermaid", *lines, "```"])


def _group(group: Group) -> Iterator[str]:
    yield f"  subgraph {group.name} [{_quoted(group.words)}]"
    yield from (f"    {box.name}[{_quoted(box.words)}]" for box in group.boxes)
    yield "  end"


def _quoted(words: str) -> str:
    return '"' + words.replace('"', "#quot;") + '"'
