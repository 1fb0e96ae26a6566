"""First in, first out: any number of lists of numbered items, in arrays.

`behind[item]` is the item that follows; `first[line]` and `last[line]` are the ends of a list. An item is in one list
at most.
"""

from collections.abc import MutableSequence
from typing import Final

Numbers = MutableSequence[int]

NOBODY: Final = -1


def append(behind: Numbers, first: Numbers, last: Numbers, line: int, item: int) -> None:
    """Put `item` at the end of a list."""
    behind[item] = NOBODY
    if first[line] == NOBODY:
        first[line] = item
    else:
        behind[last[line]] = item
    last[line] = item


def pop(behind: Numbers, first: Numbers, last: Numbers, line: int) -> int:
    """Take the first item out of a list; NOBODY if there is none."""
    item = first[line]
    if item != NOBODY:
        first[line] = behind[item]
        behind[item] = NOBODY
    return item


def remove(behind: Numbers, first: Numbers, last: Numbers, line: int, item: int) -> None:
    """Take `item` out of a list, wherever in it it stands."""
    if first[line] == item:
        pop(behind, first, last, line)
        return
    before = first[line]
    while behind[before] != item:
        before = behind[before]
    behind[before] = behind[item]
    behind[item] = NOBODY
    if last[line] == item:
        last[line] = before
