"""What a graded cell says of an answer: one line that tells what is wrong, never what would be right."""

import math
from collections.abc import Mapping, Sequence


class NotRight(AssertionError):  # noqa: N818 - it is no error of the program's
    """An answer of the wrong form, or a wrong one."""

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows in place of a traceback."""
        return [f"Not yet: {self}"]


def number(answer: object, name: str = "the answer") -> float:
    """The answer as a number; NotRight if it is none, or not a finite one."""
    try:
        value = float(answer)  # type: ignore[arg-type]  # whatever a student has written
    except (TypeError, ValueError):
        raise NotRight(f"{name} is {answer!r}; it must be a number") from None
    _expect(math.isfinite(value), f"{name} is {value}; it must be a finite number")
    return value


def close(answer: object, key: float, percent: float = 1.0, name: str = "the answer") -> None:
    """The answer is the key, give or take so many percent of it."""
    value = number(answer, name)
    _expect(math.isclose(value, key, rel_tol=percent / 100, abs_tol=1e-9), f"{name} is {value:g}, which is not right")


def near(answer: object, key: float, within: float, name: str = "the answer") -> None:
    """The answer is the key, give or take `within`."""
    value = number(answer, name)
    _expect(abs(value - key) <= within, f"{name} is {value:g}, which is not right")


def choice(answer: object, options: Sequence[object], key: object = None) -> None:
    """The answer is one of the options; and if there is a key, that one."""
    _expect(answer in options, f"{answer!r} is not one of {', '.join(map(repr, options))}")
    _expect(key is None or answer == key, f"{answer!r} is not right")


def numbers(answer: object, names: Sequence[object]) -> dict[object, float]:
    """The answer as a number for each name; NotRight if one is missing."""
    if not isinstance(answer, Mapping):
        raise NotRight(f"the answer is {answer!r}; it must be a dict with the keys {list(names)}")
    missing = [name for name in names if name not in answer]
    _expect(not missing, f"the answer says nothing of {', '.join(map(repr, missing))}")
    return {name: number(answer[name], f"the answer for {name!r}") for name in names}


def each(answer: object, key: Mapping[object, float], percent: float = 1.0) -> None:
    """The answer has every number of the key, give or take so many percent."""
    for name, value in numbers(answer, list(key)).items():
        close(value, key[name], percent, f"the answer for {name!r}")


def _expect(right: bool, otherwise: str) -> None:
    if not right:
        raise NotRight(otherwise)
