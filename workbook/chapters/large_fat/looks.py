"""What the chapter's figures have in common: how formulas, runs and the slides' own numbers look."""

from typing import Final

from workbook.plots.style import Look

FORMULA: Final = Look("#333333", "", "-")
CLOSED_FORM: Final = Look("#333333", "D")
BURST: Final = Look("#b3480a", "o")
PER_PACKET: Final = Look("#0b4a8f", "^")
DELAYED: Final = Look("#2f93d6", "s")
HIGHSPEED: Final = Look("#1b7f3b", "D")
LOSING: Final = Look("#b3480a", "X")
HALVED: Final = Look("#6fae4f", "v")
SLIDE: Final = Look("#111111", "*")
FORBIDDEN: Final = "#f7dcd7"
SINKS: Final = {"immediate": ("slow start, all ACKs", PER_PACKET),
                "delayed": ("slow start, delayed ACKs", DELAYED)}  # fmt: skip
ACKS: Final = {"immediate": "an ACK for every packet", "delayed": "delayed ACKs"}
