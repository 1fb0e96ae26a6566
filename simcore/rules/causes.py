"""Why a sender's window changed: causes by name, as numbers that rules can write into a state.

A module of rules whose causes are none of those that all share makes its own, at its top: `PATH_FOLLOWED: Final =
cause("path_followed", is_usual=True)`. What it means to people stands in its EXPLANATIONS, under that name.
"""

from typing import Final

MOST: Final = 256  # a byte of the log says which

CAUSES: Final[list[str]] = []
"""Their names; a cause's number is its place."""
USUAL: Final[list[int]] = []
"""Those that come with almost every ACK: of their changes a log may leave out some, of others none."""


def cause(name: str, *, is_usual: bool = False) -> int:
    """The number of a cause, which is entered if it is new.

    Raises ValueError for a name with a space, and if there are too many.
    """
    if name in CAUSES:
        return CAUSES.index(name)
    if not name.isidentifier() or len(CAUSES) == MOST:
        raise ValueError(f"cause {name!r} is not allowed; must be letters, digits and _, and at most {MOST} in all")
    CAUSES.append(name)
    if is_usual:
        USUAL.append(len(CAUSES) - 1)
    return len(CAUSES) - 1
