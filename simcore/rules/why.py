"""Why a window changed, told to people: each module of rules says it of its own causes."""

from typing import NamedTuple


class Why(NamedTuple):
    """The name of a cause for readers, the rule, and its source."""

    title: str
    rule: str
    source: str
