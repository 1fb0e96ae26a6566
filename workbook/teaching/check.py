"""What a graded cell says of an answer: one line that tells what is wrong, never what would be right.

In a student's notebook only the form is checked. Where the sheet is graded the answer is compared with a key, and
`comparing` collects both for the feedback.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from reprlib import Repr
from typing import Any, Final, NamedTuple

SHORT: Final = Repr()
SHORT.maxstring = SHORT.maxother = SHORT.maxlong = 60


class NotRight(AssertionError):  # noqa: N818 - it is no error of the program's
    """An answer of the wrong form, or a wrong one."""

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows in place of a traceback."""
        return [f"Not yet: {self}"]


class FormIsRight:
    """What a check returns, for a cell to show."""

    def __repr__(self) -> str:
        return "The form is right; it is graded later."


class Compared(NamedTuple):
    """An answer beside the key, as the feedback tells them."""

    name: str
    answer: str
    key: str
    is_right: bool


FINE: Final = FormIsRight()
_COMPARED: ContextVar[list[Compared] | None] = ContextVar("compared", default=None)


@contextmanager
def comparing() -> Iterator[list[Compared]]:
    """Collect what is compared with a key."""
    compared: list[Compared] = []
    token = _COMPARED.set(compared)
    try:
        yield compared
    finally:
        _COMPARED.reset(token)


def number(answer: object, name: str = "the answer") -> FormIsRight:
    """The answer is a finite number; NotRight if it isn't."""
    _number(answer, name)
    return FINE


def close(answer: object, key: float, percent: float = 1.0, name: str = "the answer") -> FormIsRight:
    """The answer is the key, give or take so many percent of it."""
    value = _number(answer, name)
    is_right = math.isclose(value, key, rel_tol=percent / 100, abs_tol=1e-9)
    return _compared(name, f"{value:g}", f"{key:g}" + (f" ± {percent:g} %" if percent else ""), is_right)


def near(answer: object, key: float, within: float, name: str = "the answer") -> FormIsRight:
    """The answer is the key, give or take `within`."""
    value = _number(answer, name)
    return _compared(name, f"{value:g}", f"{key:g}" + (f" ± {within:g}" if within else ""), abs(value - key) <= within)


def choice(answer: object, options: Sequence[object], key: object = None, name: str = "the answer") -> FormIsRight:
    """The answer is one of the options; and if there is a key, that one."""
    if answer not in options:
        raise NotRight(f"{name} is {SHORT.repr(answer)}; must be one of {', '.join(map(repr, options))}")
    return FINE if key is None else _compared(name, repr(answer), repr(key), answer == key)


def numbers(answer: object, names: Sequence[object]) -> FormIsRight:
    """The answer has a number for each name; NotRight if one is missing."""
    _numbers(answer, names)
    return FINE


def each(answer: object, key: Mapping[Any, float], percent: float = 1.0) -> FormIsRight:
    """The answer has every number of the key, give or take so many percent."""
    for name, value in _numbers(answer, list(key)).items():
        close(value, float(key[name]), percent, f"the answer for {name!r}")
    return FINE


def function(answer: object, name: str = "the answer") -> FormIsRight:
    """The answer can be called; NotRight if it can't."""
    if not callable(answer):
        raise NotRight(f"{name} is {SHORT.repr(answer)}; it must be a function")
    return FINE


def _number(answer: object, name: str) -> float:
    try:
        value = float(answer)  # type: ignore[arg-type]  # whatever a student has written
    except (TypeError, ValueError, OverflowError):
        raise NotRight(f"{name} is {SHORT.repr(answer)}; it must be a number") from None
    if not math.isfinite(value):
        raise NotRight(f"{name} is {value}; it must be a finite number")
    return value


def _numbers(answer: object, names: Sequence[object]) -> dict[object, float]:
    if not isinstance(answer, Mapping):
        raise NotRight(f"the answer is {SHORT.repr(answer)}; it must be a dict with the keys {list(names)}")
    if missing := [name for name in names if name not in answer]:
        raise NotRight(f"the answer says nothing of {', '.join(map(repr, missing))}")
    return {name: _number(answer[name], f"the answer for {name!r}") for name in names}


def _compared(name: str, answer: str, key: str, is_right: bool) -> FormIsRight:
    compared = _COMPARED.get()
    if compared is not None:
        compared.append(Compared(name, answer, key, is_right))
    if not is_right:
        raise NotRight(f"{name} is {answer}, which is not right")
    return FINE
