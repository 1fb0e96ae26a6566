"""How a command says no."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from workbook.paths import Places

LONGEST_LINE: Final = 900  # characters
INTERRUPTED: Final = 130  # the exit status that a shell expects after a Ctrl-C


class Refusal(click.ClickException):
    """Input that can't be used: a line on standard error for each problem, exit status 2."""

    exit_code = 2

    def __init__(self, *problems: object) -> None:
        super().__init__("\nError: ".join(_line(problem) for problem in problems))


def _line(problem: object) -> str:
    """A problem as one line, without the middle of what is too long to be read."""
    line = " ".join(str(problem).split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 3 :]}"


def reason(error: Exception) -> str:
    """Why the system could not do what it was asked, as the end of a line."""
    return str(getattr(error, "strerror", None) or error).lower()


def choose(option: str, given: str, allowed: Iterable[str]) -> None:
    """Raise Refusal unless `given` is one of the allowed names."""
    names = list(allowed)
    if given not in names:
        raise Refusal(f"{option}: {given!r} is not known; allowed: {', '.join(names)}")


def choose_engine(option: str, given: str, allowed: Iterable[str]) -> None:
    """Raise Refusal unless `given` is one of the allowed engines, and can run here."""
    from simcore import EngineUnavailableError
    from simcore.simulation import require_engine

    choose(option, given, allowed)
    try:
        require_engine(given)
    except EngineUnavailableError as error:
        raise Refusal(error) from None


def checkout() -> "Places":
    """The workbook's chapters, claims and figures. Raises Refusal where only the package was installed."""
    from workbook.paths import REPO

    if not REPO.params.is_dir():
        raise Refusal(f"no chapters in {REPO.root}: this needs the workbook's repository; run it there, with its .venv")
    return REPO
