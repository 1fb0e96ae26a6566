"""The dimensions of a grid: where in the scenario their values go, and which values."""

from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.settings import Strict
from workbook.sweep.distributions import exactly_one, of_one_kind

MOST: Final = 10_000_000  # cells, and so values
COPIED: Final = "flows"  # the one list that may be there several times over
SIGNIFICANT_DIGITS: Final = 12  # of a computed value: 0.3 and not 0.30000000000000004, which nobody would select


class Target(Strict):
    """Where in the scenario a value goes: one dotted path, or several that move together."""

    path: str | None = None
    paths: Annotated[list[str], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _has_a_target(self) -> Self:
        exactly_one(self, ("path", "paths"))
        return self

    @property
    def targets(self) -> list[str]:
        """The dotted paths."""
        return [self.path] if self.path is not None else list(self.paths or ())


class Axis(Target):
    """One dimension of a grid: its values, so many between two ends, or numbers of copies of all flows."""

    values: Annotated[list[Any], Field(min_length=1)] | None = None
    copies: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)] | None = None
    from_: float | None = Field(default=None, alias="from")
    to: float | None = None
    steps: int | None = Field(default=None, ge=2, le=MOST)
    scale: Literal["linear", "log"] | None = None
    whole: bool | None = None  # rounded to whole numbers

    @model_validator(mode="after")
    def _has_different_values_of_one_kind(self) -> Self:
        self._check_completeness()
        values = self.all_values()
        of_one_kind(values)
        ordered = sorted(values)
        for value, before in zip(ordered[1:], ordered, strict=False):
            if value == before:
                field = next((name for name in ("values", "copies") if getattr(self, name)), "steps")
                raise PydanticCustomError(
                    "twice", "gives {value} twice; every value must be another", {"value": repr(value), "field": field}
                )
        return self

    def _check_completeness(self) -> None:
        if self.copies is not None and self.targets != [COPIED]:
            raise PydanticCustomError("copies", "allowed only with the path flows", {"field": "copies"})
        ends = {"from": self.from_, "to": self.to, "steps": self.steps}
        listed = next((name for name in ("values", "copies") if getattr(self, name) is not None), None)
        others = {"copies": self.copies} if listed == "values" else {}
        for name, given in (others | ends | {"scale": self.scale, "whole": self.whole}).items():
            if listed and given is not None:
                raise PydanticCustomError("beside", "not allowed beside {listed}", {"listed": listed, "field": name})
            if not listed and given is None and name in ends:
                raise PydanticCustomError("no_values", "missing; must be given, or values", {"field": name})
        if self.scale == "log" and min(self.from_ or 0, self.to or 0) <= 0:
            message = "log is not allowed; must go between numbers above 0"
            raise PydanticCustomError("log_of_0", message, {"field": "scale"})

    def all_values(self) -> list[Any]:
        """The values along the dimension."""
        if (listed := self.values or self.copies) is not None:
            return listed
        spaced = np.geomspace if self.scale == "log" else np.linspace
        numbers = spaced(self.from_ or 0, self.to or 0, self.steps or 0).tolist()
        return [round(n) if self.whole else float(f"{n:.{SIGNIFICANT_DIGITS}g}") for n in numbers]
