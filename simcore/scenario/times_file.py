"""A file of times for a replay source: one time a line, in seconds, none less than the one before it."""

from pathlib import Path
from typing import Final

from simcore.scenario.text import FileTooLargeError, file_text

LATEST_S: Final = 1e6  # as `simcore.rules.settings.Seconds`


def times_in(path: Path) -> list[float]:
    """The times in a file, in seconds; empty lines count for nothing.

    Raises ValueError, with the file and the number of the line, for what is not a file of times.
    """
    times: list[float] = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        time_s = _seconds(line)
        if time_s is None:
            raise ValueError(
                f"{path}, line {number}: {line.strip()!r:.60} is not allowed; must be from 0 to {LATEST_S:g}"
            )
        if times and time_s < times[-1]:
            raise ValueError(f"{path}, line {number}: {time_s} is not allowed after {times[-1]}; must not decrease")
        times.append(time_s)
    if not times:
        raise ValueError(f"{path}: the file holds no times; must have at least 1")
    return times


def _text(path: Path) -> str:
    try:
        return file_text(path)
    except FileTooLargeError as error:
        raise ValueError(f"{path}: {error}") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError:  # which a name with a null byte raises as well
        raise ValueError(f"{str(path)!r}: not text in UTF-8; must have a time in seconds on every line") from None


def _seconds(text: str) -> float | None:
    try:
        time_s = float(text)
    except ValueError:
        return None
    return time_s if 0 <= time_s <= LATEST_S else None
