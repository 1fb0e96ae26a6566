"""What kernels ask for and the translation does, in `simcore.compiled.copying`: it knows which fields records have."""

from typing import NoReturn

from simcore.rules.headers.header import Header


def copy_header(target: Header, source: Header) -> None:
    """Write all that one header says into another one."""
    _refuse()


def copy_recorded(row: object, state: object) -> None:
    """Write into a row what the rules that a state follows record of it."""
    _refuse()


def _refuse() -> NoReturn:
    raise TypeError("asked in compiled code only")
