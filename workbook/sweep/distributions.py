"""What is drawn at random, and from which stream of random numbers."""

import math
import reprlib
from collections.abc import Iterable
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.settings import Strict


def stream(seed: int, *key: int | str) -> np.random.Generator:
    """Random numbers of their own for each key: whatever else is drawn, before or after, changes nothing here."""
    numbers: list[int] = []
    for part in key:
        numbers += part.encode() if isinstance(part, str) else [part]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(numbers)))


def exactly_one(model: BaseModel, names: Iterable[str]) -> None:
    """Raise the error that pydantic wants unless exactly one of these fields is given."""
    given = [name for name in names if getattr(model, name) is not None]
    if len(given) != 1:
        raise PydanticCustomError(
            "exactly_one",
            "{given} given; must have exactly one of {names}",
            {"given": " and ".join(given) or "nothing", "names": ", ".join(names)},
        )


def of_one_kind(values: Iterable[object]) -> None:
    """Raise the error that pydantic wants unless all are numbers, all texts, or all true or false."""
    kinds = {float if type(value) is int else type(value) for value in values}
    if len(kinds) > 1 or not kinds <= {float, str, bool}:
        raise PydanticCustomError(
            "of_one_kind",
            "{values} is not allowed; must be numbers, or texts, or true and false",
            {"values": reprlib.repr(list(values))},
        )


Integer = Annotated[int, Field(ge=-(2**62), le=2**62)]  # what numpy draws from


class Distribution(Strict):
    """What a value is drawn from: one of these, with its bounds, both of which may occur."""

    uniform: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None
    loguniform: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None  # the logarithm is uniform
    integers: Annotated[list[Integer], Field(min_length=2, max_length=2)] | None = None
    choice: Annotated[list[object], Field(min_length=1)] | None = None

    @model_validator(mode="after")
    def _is_one_that_can_be_drawn_from(self) -> Self:
        exactly_one(self, Distribution.model_fields)
        for name in ("uniform", "loguniform", "integers"):
            self._check_bounds(name)
        if self.choice is not None:
            of_one_kind(self.choice)
        return self

    def _check_bounds(self, name: str) -> None:
        bounds = getattr(self, name)
        if bounds is None or (bounds[0] < bounds[1] and (name != "loguniform" or bounds[0] > 0)):
            return
        allowed = "0 < low < high" if name == "loguniform" else "low < high"
        raise PydanticCustomError(
            "bounds",
            "{given} is not allowed; must be [low, high] with {allowed}",
            {"given": repr(bounds), "allowed": allowed, "field": name},
        )

    def draw(self, random: np.random.Generator) -> Any:
        """One value, as a scenario's file would have it."""
        if self.uniform is not None:
            low, high = self.uniform
            return float(random.uniform(low, high))
        if self.loguniform is not None:
            low, high = self.loguniform
            return min(max(math.exp(random.uniform(math.log(low), math.log(high))), low), high)
        if self.integers is not None:
            first, last = self.integers
            return int(random.integers(first, last, endpoint=True))
        assert self.choice is not None
        return self.choice[int(random.integers(len(self.choice)))]
