"""Plain data: what comes out of a sheet. Numbers, words, lists, dicts, and functions that can be called by number.

Nothing here runs a student's code in the grader: a pickle would. What is none of these is told by its repr.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final

import numpy as np

from simcore.rules.tcp.sender import TcpState

LONGEST_TEXT: Final = 2_000
LARGEST_INT: Final = 1 << 63
MOST_ITEMS: Final = 20_000
DEEPEST: Final = 6


class NotPlainError(ValueError):
    """Something too large or too deep, or a line that no player writes."""


class Other:
    """An answer that is no plain data: `...`, a class, an object."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def encoded(value: object, keep: Callable[[Callable[..., object]], int], depth: int = DEEPEST) -> object:
    """A value as JSON can have it; `keep` gives a function its number. Runs where the student's code runs."""
    if value is None or isinstance(value, bool | float | str):
        return value[:LONGEST_TEXT] if isinstance(value, str) else value
    if isinstance(value, int):
        return int(value) if abs(value) < LARGEST_INT else {"other": "a number that is too large"}
    if depth == 0:
        raise NotPlainError("nested too deeply")
    if isinstance(value, Mapping):
        pairs = [[encoded(key, keep, 1), encoded(item, keep, depth - 1)] for key, item in _bounded(value.items())]
        return {"dict": pairs}
    if isinstance(value, list | tuple | range | set):
        return [encoded(item, keep, depth - 1) for item in _bounded(value)]
    array = getattr(value, "values", value)  # of pandas and xarray; numpy's are arrays themselves
    if isinstance(array, np.ndarray | np.generic):
        return encoded(array.tolist(), keep, depth - 1)
    if callable(value):
        return {"call": keep(value)}
    return _number_or_text(value)


def _bounded(items: Iterable[Any]) -> list[Any]:
    values = list(items)
    if len(values) > MOST_ITEMS:
        raise NotPlainError(f"{len(values)} items; at most {MOST_ITEMS} are allowed")
    return values


def _number_or_text(value: object) -> object:
    try:
        return float(value)  # type: ignore[arg-type]  # a Fraction, a Decimal
    except (TypeError, ValueError, OverflowError):
        return {"other": repr(value)[:LONGEST_TEXT]}


def decoded(data: object, call: Callable[[int], object]) -> Any:
    """What `encoded` meant; `call` makes a function of its number. Raises NotPlainError for anything else."""
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if isinstance(data, list):
        return [decoded(item, call) for item in data]
    if isinstance(data, dict) and len(data) == 1:
        [(kind, content)] = data.items()
        if kind == "other" and isinstance(content, str):
            return Other(content)
        if kind == "call" and isinstance(content, int):
            return call(content)
        if kind == "dict" and isinstance(content, list):
            return dict(_pair(pair, call) for pair in content)
    raise NotPlainError("something that no sheet answers")


def _pair(pair: object, call: Callable[[int], object]) -> tuple[object, object]:
    match pair:
        case [None | bool() | int() | float() | str() as name, item]:
            return name, decoded(item, call)
    raise NotPlainError("a dict whose keys are neither numbers nor words")


def numbers_of(tcp: TcpState) -> dict[str, bool | int | float]:
    """The fields of a sender's state that are numbers, by name."""
    values = ((field.name, getattr(tcp, field.name)) for field in fields(tcp))
    return {name: value for name, value in values if isinstance(value, bool | int | float)}
