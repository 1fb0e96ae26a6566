"""Whose sheet it is: the student id that the first cell names."""

import re

STUDENT_ID = re.compile(r"[a-z0-9][a-z0-9._@-]{1,63}")


class StudentError(ValueError):
    """A student id that is none; the message is one line for a person."""

    def _render_traceback_(self) -> list[str]:
        """What Jupyter shows in place of a traceback."""
        return [f"STUDENT: {self}"]


def student_id(given: object) -> str:
    """The id as it names a student's folder and draws a variant: without spaces around it, in small letters.

    Raises StudentError when nothing or something impossible was given.
    """
    name = str(given).strip().lower()
    if not name:
        raise StudentError('nothing is given; write your student id between the quotes, as in STUDENT = "s1234567"')
    if not STUDENT_ID.fullmatch(name):
        raise StudentError(f"{given!r} is not allowed; must be 2 to 64 letters, digits or . _ @ -, as your course uses")
    return name
