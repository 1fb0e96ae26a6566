"""What a figure says of itself in words: title, caption, and an alternative text for who cannot see it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbook.plots.save import figure_of

Drawn = TypeVar("Drawn", bound=Figure | Axes | Iterable[Axes] | Any)


@dataclass(frozen=True)
class Words:
    """A figure in words: what stands above it, what is said below it, and what is read aloud instead of it."""

    title: str
    caption: str
    alt: str


_WORDS: WeakKeyDictionary[Figure, Words] = WeakKeyDictionary()


def describe(drawn: Drawn, caption: str, alt: str, title: str = "") -> Drawn:
    """Give a figure its words; returns what was given, so that it can stand around the call that draws."""
    _WORDS[figure_of(drawn)] = Words(title, caption, alt)
    return drawn


def words_of(drawn: Any) -> Words:
    """The words of a figure. Raises ValueError if it was given none: a figure without words is not saved."""
    figure = figure_of(drawn)
    if figure not in _WORDS:
        raise ValueError("the figure has no words yet; give it a caption and an alternative text with `describe`")
    return _WORDS[figure]
