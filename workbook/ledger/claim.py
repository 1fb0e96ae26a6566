"""What a source document says, and how each statement is checked: the models of the YAML files under claims/.

A claim carries the source's own words and the expression that checks them. It has no field for a verdict:
verdicts are computed at every run, so one typed by hand is refused like any other unknown key.
"""

import re
from collections import Counter
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from workbook.ledger.rounding import as_decimal, is_printed


def _is_number(text: str) -> str:
    if not re.fullmatch(r"[-+]?\d+(\.\d+)?", text):
        raise ValueError("allowed: a number as printed, without its unit")
    return text


Text = Annotated[str, Field(min_length=1)]
# A string, because "50.60" promises two decimals and the float 50.6 only one.
Printed = Annotated[str, AfterValidator(_is_number)]
Count = Literal["number", "sentence", "figure"]


class Strict(BaseModel):
    """Refuses unknown keys and values of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Source(Strict):
    """The document that is judged."""

    key: Text
    title: Text
    authors: Text
    note: str = ""


class Statement(Strict):
    """What every claim has: where the source says what, and what an independent reader would count it as."""

    id: Text
    quote: Text
    place: Text
    counts_as: Count
    because: str = ""


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
    def expected(self) -> str:
        """What the source says, in a few words."""
        return self.said

    def admits(self, value: float) -> bool:
        """Whether `value` is what the source says."""
        return is_printed(value, self.said)


class Tolerance(Number):
    """The computed value is no further from the printed number than `tolerance` (in the same unit)."""

    kind: Literal["tolerance"]
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    because: Text

    @property
    def expected(self) -> str:
        """What the source says, in a few words."""
        return f"{self.said} ± {self.tolerance:g}"

    def admits(self, value: float) -> bool:
        """Whether `value` is near enough to what the source says."""
        # Decimals, because 10.3 - 10.2 is more than 0.1 in binary.
        return abs(as_decimal(value) - Decimal(self.said)) <= as_decimal(self.tolerance)


class Range(Statement):
    """The computed value lies between `low` and `high`, both included; either may be missing."""

    kind: Literal["range"]
    compare: Text
    low: float | None = None
    high: float | None = None
    because: Text
    said: Text | None = None

    @model_validator(mode="after")
    def _is_a_range(self) -> "Range":
        if self.low is None and self.high is None:
            raise ValueError("a range needs `low`, `high` or both")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low {self.low:g} is above high {self.high:g}")
        return self

    @property
    def expected(self) -> str:
        """What the source says, in a few words."""
        if self.low is None:
            return f"at most {self.high:g}"
        return f"at least {self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"

    def admits(self, value: float) -> bool:
        """Whether `value` lies in the range."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def off_by(self, value: float) -> float:
        """How far `value` is from the nearer end of the range."""
        nearer = self.low if self.low is not None and value < self.low else self.high
        return value - (value if nearer is None else nearer)


class Distribution(Statement):
    """The printed number, as it was rounded, lies among those that runs with other seeds give.

    `compare` is a group of results with n, mean, sd, min and max; `beside` has more of them by name, which are told
    and don't decide.
    """

    kind: Literal["distribution"]
    said: Printed
    compare: Text
    beside: dict[str, Text] = {}

    def off_by(self, least: float, greatest: float) -> float:
        """How far the nearest run is from the printed number; 0 if some run may have been rounded to it."""
        said = Decimal(self.said)
        nearest = min(max(as_decimal(least), said), as_decimal(greatest))
        half_a_digit = Decimal(5).scaleb(int(said.as_tuple().exponent) - 1)
        return 0.0 if abs(nearest - said) <= half_a_digit else float(nearest - said)


class Predicate(Statement):
    """Words, made an expression that is true or false; `because` gives the reason for its thresholds.

    `beside` has expressions by name for the same words elsewhere, which are told and don't decide.
    """

    kind: Literal["predicate"]
    compare: Text
    because: Text
    beside: dict[str, Text] = {}
    said: Text | None = None


class Figure(Statement):
    """A picture of the source, drawn again as `figures/<figure>.png`."""

    kind: Literal["figure"]
    figure: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+/[\w.-]+$")]


class Untestable(Statement):
    """A statement that no run of the model can confirm or refute, and why."""

    kind: Literal["untestable"]
    why: Text
    said: Text | None = None


Claim = Exact | Tolerance | Range | Distribution | Predicate | Figure | Untestable


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
