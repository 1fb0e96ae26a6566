"""What the chapter's figures have in common: how formulas, runs and the slides' own numbers look."""

from typing import Final

from workbook.style import Look

FORMULA: Final = Look("#333333", "", "-")
BURST: Final = Look("#b3480a", "o")
PER_PACKET: Final = Look("#0b4a8f", "^")
DELAYED: Final = Look("#2f93d6", "s")
HIGHSPEED: Final = Look("#1b7f3b", "D")
SLIDE: Final = Look("#d0021b", "*")
FORBIDDEN: Final = "#f7dcd7"
SINKS: Final = {"immediate": ("slow start, all ACKs", PER_PACKET),
                "delayed": ("slow start, delayed ACKs", DELAYED)}  # fmt: skip
