"""The rulers of claims/rulers.yaml: what words and printed numbers mean, the same for every source.

A claim has no threshold of its own. It names a ruler, or calls one in its expression (`same(a, b)`); what the ruler
allows was fixed before any value was seen.
"""

from collections.abc import Mapping
from decimal import Decimal
from math import inf
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from simcore.scenario.loading import ScenarioError, load_mapping
from workbook.ledger.error import LedgerError
from workbook.ledger.rounding import as_decimal

# How a ruler measures. The forms without bounds are judged by `verdict`: a number's digits, the plain sense of a
# sentence, the range of many runs, a picture.
Form = Literal["value", "ratio", "difference", "distance", "printed", "plain", "runs", "drawn", "none"]
BOUNDED: dict[str, int] = {"value": 1, "ratio": 2, "difference": 2, "distance": 2}  # form: numbers it takes
PRINTED, PLAIN, RUNS, DRAWN, NONE = "printed", "plain", "runs", "drawn", "none"


class Ruler(BaseModel):
    """What some words mean: a measure of one or two numbers, and the bounds that it must keep.

    `value` is the number itself, `ratio` a / b, `difference` a - b, `distance` |a - b| / |b|.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    form: Form
    words: Annotated[list[str], Field(min_length=1)]
    because: Annotated[str, Field(min_length=1)]
    low: float | None = None
    high: float | None = None
    unit: str = ""

    @model_validator(mode="after")
    def _bounds_fit_the_form(self) -> Self:
        bounded = self.low is not None or self.high is not None
        if bounded != (self.form in BOUNDED):
            raise ValueError(f"form {self.form} {'needs' if self.form in BOUNDED else 'has no'} `low`, `high` or both")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ValueError(f"low {self.low:g} is not below high {self.high:g}")
        return self

    def measure(self, *numbers: float) -> float:
        """What the ruler looks at.

        Raises:
            LedgerError: too many or too few numbers, or nothing to compare with.
        """
        if len(numbers) != BOUNDED.get(self.form, 0):
            raise LedgerError(f"this ruler takes {BOUNDED.get(self.form, 0)} numbers, not {len(numbers)}")
        if self.form == "value":
            return float(numbers[0])
        first, second = map(as_decimal, numbers)  # decimals, because 10.3 - 10.2 is more than 0.1 in binary
        if self.form == "difference":
            return float(first - second)
        if second == 0 and self.form == "ratio" and first > 0:
            return inf
        if second == 0:
            raise LedgerError("nothing to compare with: the second number is 0")
        return float(first / second if self.form == "ratio" else abs(first - second) / abs(second))

    def margin(self, measured: float) -> float:
        """How much of what is allowed is used up: 0 in the middle, 1 at a bound, above 1 outside."""
        low, high = self.low, self.high
        if self.form == "distance" and high is not None:
            return measured / high
        if low is not None and high is not None:
            return abs(measured - (low + high) / 2) / ((high - low) / 2)
        bound = low if high is None else high
        if not bound:
            return 0.0 if self.admits(measured) else inf
        return max(0.0, 1 + (measured - bound if low is None else bound - measured) / abs(bound))

    def admits(self, measured: float) -> bool:
        """Whether the words hold."""
        return (self.low is None or measured >= self.low) and (self.high is None or measured <= self.high)

    def says(self) -> str:
        """The bounds in a few words: `a / b from 0.9 to 1`; nothing if there are none."""
        sides = {"value": "x", "ratio": "a / b", "difference": "a - b", "distance": "|a - b| / |b|"}
        unit = f" {self.unit}".rstrip()
        if self.form not in BOUNDED:
            return ""
        if self.low is None:
            return f"{sides[self.form]} at most {self.high:g}{unit}"
        least = f"{sides[self.form]} at least {self.low:g}{unit}"
        return least if self.high is None else f"{sides[self.form]} from {self.low:g} to {self.high:g}{unit}"


Rulers = Mapping[str, Ruler]


def digits_margin(value: float, printed: str) -> float:
    """The margin of `printed`: how far a value is from a printed number, in halves of its last digit."""
    half_a_digit = Decimal(5).scaleb(int(Decimal(printed).as_tuple().exponent) - 1)
    return float(abs(as_decimal(value) - Decimal(printed)) / half_a_digit)


def load_rulers(path: Path) -> dict[str, Ruler]:
    """Read the rulers.

    Raises:
        LedgerError: the file cannot be read, or a ruler is malformed; a line for each.
    """
    try:
        mapping = load_mapping(path)
        return TypeAdapter(dict[str, Ruler]).validate_python(mapping["rulers"])
    except (ScenarioError, KeyError) as error:
        raise LedgerError(f"{path.name}: {error}") from error
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        raise LedgerError(*problems).within(path.name) from error
