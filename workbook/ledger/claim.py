"""What a source document says, and how each statement is checked: the models of the YAML files under claims/.

A claim carries the source's own words, its status (what part we had in it), and the expression that checks them. It has
no field for a verdict: verdicts are computed at every run, so one typed by hand is refused like any other unknown key.
Nor has it one for a threshold: what words mean stands in claims/rulers.yaml.
"""

import re
from collections import Counter
from decimal import Decimal
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from workbook.ledger.rounding import as_decimal, is_printed
from workbook.ledger.rulers import DRAWN, NONE, PRINTED, RUNS


def _is_number(text: str) -> str:
    if not re.fullmatch(r"[-+]?\d+(\.\d+)?", text):
        raise ValueError("allowed: a number as printed, without its unit")
    return text


Text = Annotated[str, Field(min_length=1)]
# A string, because "50.60" promises two decimals and the float 50.6 only one.
Printed = Annotated[str, AfterValidator(_is_number)]
Count = Literal["number", "sentence", "figure"]
# What part we had in it, before any verdict: `input` we put in, `fitted` was chosen so that it comes out, `predicted`
# came out (or did not) with nothing adjusted to it, `redrawn` is a figure whose original is lost, `external` is a cited
# fact or the document's own arithmetic, which no run of ours decides, `measured` is ours and no document's.
Status = Literal["input", "fitted", "predicted", "redrawn", "external", "measured"]
STATUSES: tuple[Status, ...] = get_args(Status)
# Groups of results, each to be read in place of another: {two_tcp.baseline: two_tcp.size_100}.
Swap = Annotated[dict[Text, Text], Field(min_length=1)]


class Strict(BaseModel):
    """Refuses unknown keys and values of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Source(Strict):
    """The document that is judged."""

    key: Text
    title: Text
    authors: Text
    note: str = ""
    # Other readings, seeds or profiles, which are told beside every verdict and decide none.
    others: dict[Text, Swap] = {}


class Statement(Strict):
    """What every claim has: where the source says what, and what an independent reader would count it as."""

    id: Text
    quote: Text
    place: Text
    counts_as: Count
    status: Status
    because: str = ""
    control: Swap | None = None

    @property
    def ruler(self) -> str:
        """The name of the ruler in claims/rulers.yaml; a predicate calls its rulers, and has none of its own here."""
        return NONE


class Number(Statement):
    """A printed number: `compare` gives it from our results, `arithmetic` from the source's own numbers."""

    said: Printed
    compare: Text | None = None
    arithmetic: Text | None = None

    @model_validator(mode="after")
    def _is_checked_somehow(self) -> Self:
        if self.compare is None and self.arithmetic is None:
            raise ValueError("a printed number needs `compare`, `arithmetic` or both")
        return self

    def off_by(self, value: float) -> float:
        """How far `value` is from the printed number."""
        return value - float(self.said)


class Exact(Number):
    """The computed value, rounded to the printed decimals, is the printed number."""

    kind: Literal["exact"]

    @property
    def ruler(self) -> str:
        """A printed number with all its digits."""
        return PRINTED

    def admits(self, value: float) -> bool:
        """Whether `value` is what the source says."""
        return is_printed(value, self.said)


class Tolerance(Number):
    """The computed value is as near to the printed number as the ruler allows."""

    kind: Literal["tolerance"]
    by: Annotated[Text, Field(alias="ruler")]
    because: Text

    @property
    def ruler(self) -> str:
        """What the word beside the number means."""
        return self.by


class Distribution(Statement):
    """The printed number, as it was rounded, lies among those that runs with other seeds give.

    `compare` is a group of results with n, mean, sd, min and max. Numbers of one run name the same `together`: some one
    run must then have all of them (their groups have `runs`, the value of each run in the order of the seeds).
    """

    kind: Literal["distribution"]
    said: Printed
    compare: Text
    together: Text | None = None

    @property
    def ruler(self) -> str:
        """A number of one run that chance decided."""
        return RUNS

    def off_by(self, least: float, greatest: float) -> float:
        """How far the nearest run is from the printed number; 0 if some run may have been rounded to it."""
        printed = Decimal(self.said)
        nearest = min(max(as_decimal(least), printed), as_decimal(greatest))
        return 0.0 if abs(nearest - printed) <= self.half_a_digit else float(nearest - printed)

    @property
    def half_a_digit(self) -> Decimal:
        """What rounding may have moved the printed number."""
        return Decimal(5).scaleb(int(Decimal(self.said).as_tuple().exponent) - 1)


class Predicate(Statement):
    """Words, made an expression that is true or false and calls the rulers they need; `because` gives the reason.

    `arithmetic` is true if the document's own numbers agree with the words; false, the document contradicts itself.
    """

    kind: Literal["predicate"]
    compare: Text | None = None
    arithmetic: Text | None = None
    because: Text
    said: Text | None = None

    @model_validator(mode="after")
    def _is_checked_somehow(self) -> Self:
        if self.compare is None and self.arithmetic is None:
            raise ValueError("words need `compare`, `arithmetic` or both")
        return self


class Figure(Statement):
    """A picture of the source, drawn again as `figures/<figure>.png`."""

    kind: Literal["figure"]
    status: Literal["redrawn"] = "redrawn"
    figure: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+/[\w.-]+$")]

    @property
    def ruler(self) -> str:
        """The figure is there, and the chapter's manifest accounts for it."""
        return DRAWN


class Untestable(Statement):
    """A statement that no run of the model can confirm or refute, and why."""

    kind: Literal["untestable"]
    why: Text
    said: Text | None = None


Claim = Exact | Tolerance | Distribution | Predicate | Figure | Untestable


class Book(Strict):
    """All claims of one source."""

    source: Source
    claims: Annotated[list[Annotated[Claim, Field(discriminator="kind")]], Field(min_length=1)]

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "Book":
        twice = [name for name, count in Counter(claim.id for claim in self.claims).items() if count > 1]
        if twice:
            raise ValueError(f"ids that occur more than once: {', '.join(twice)}")
        return self
