"""What senders and readings are called, and how they look: the workbook's colours."""

from typing import Final

from workbook import style

SENDERS: Final = style.FLOWS["tcp"]
READINGS: Final = {
    "original": style.Look("#333333", "o"),
    "literal": style.Look("#7a1fa2", "o"),
    "fitted": style.Look("#1b7f3b", "s"),
}
CALLED: Final = {
    "original": "the original's router",
    "literal": "literal reading",
    "fitted": "fitted reading (a calibration, not the authors' rule)",
}
REPORT: Final = style.Look("#d0021b", "D")


def spoken(reading: str) -> str:
    """How a figure names a reading."""
    return CALLED[reading]
