"""What a sweep's file says: one scenario, and what is varied in it."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Self

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from simcore import MODELS, ScenarioError, load_mapping
from simcore.rules.settings import Strict
from simcore.scenario.problems import InputError, Place, problems_of
from workbook.sweep.axes import MOST, Axis, Target
from workbook.sweep.distributions import Distribution
from workbook.sweep.variables import OF_A_CELL, OF_A_FLOW

TAKEN: Final = ("sample", "replication", "flow", *OF_A_CELL, *OF_A_FLOW)


MOST_FLOWS: Final = 5000  # of a scenario


class SweepError(InputError):
    """A sweep that can't be run: `args` has a line for a person for each problem."""


class Drawn(Target, Distribution):
    """A value that is drawn for each sample."""


class Random(Strict):
    """A random design: so many scenarios, with drawn values."""

    samples: int = Field(ge=1, le=MOST)
    seed: int = Field(ge=0)
    vary: dict[str, Drawn] = Field(min_length=1)


class Sweep(Strict):
    """A scenario, and either a grid of values or values drawn at random; each cell once, or several times over."""

    name: str
    base: dict[str, Any]
    engine: str = "compiled"
    vary: dict[str, Axis] = Field(default={})
    random: Random | None = None
    replications: int | None = Field(default=None, ge=1, le=MOST)
    jitter: dict[str, Distribution] = Field(default={})
    warm_up_s: float = Field(default=0.0, ge=0)  # what passed until then is not counted

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a sweep's file. Raises SweepError with the file, the dotted path, what was given, what is allowed."""
        try:
            return cls.model_validate(load_mapping(path))
        except ValidationError as error:
            raise SweepError(*problems_of(error, f"{path}: ", keys_at)) from None
        except ScenarioError as error:
            raise SweepError(*error.args) from None

    @property
    def varied(self) -> dict[str, Target]:
        """What is varied, by name."""
        return {**self.vary, **(self.random.vary if self.random else {})}

    def place_of(self, name: str) -> str:
        """Where in the file it says what is varied under a name."""
        return f"random.vary.{name}" if self.random else f"vary.{name}"

    @field_validator("name")
    @classmethod
    def _name_is_a_directory(cls, name: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", name):
            raise _wrong("{given} is not allowed; must be letters, digits, - and .", given=repr(name))
        return name

    @field_validator("engine")
    @classmethod
    def _engine_is_known(cls, engine: str) -> str:
        if engine not in MODELS:
            raise _wrong("{given} is not known; allowed: {allowed}", given=repr(engine), allowed=", ".join(MODELS))
        return engine

    @field_validator("jitter")
    @classmethod
    def _jitter_can_be_added(cls, jitter: dict[str, Distribution]) -> dict[str, Distribution]:
        for path, distribution in jitter.items():
            if not all(type(value) in (int, float) for value in distribution.choice or ()):
                raise _wrong("is added to what is there; must be numbers", field=f"{path}.choice")
        return jitter

    @model_validator(mode="after")
    def _varies_something_in_one_way(self) -> Self:
        if self.vary and self.random:
            raise _wrong("not allowed beside vary; a sweep is a grid or random", field="random")
        if not (self.vary or self.random or self.replications):
            raise _wrong("missing; must have one of vary, random, replications", field="vary")
        if self.jitter and not self.replications:
            raise _wrong("missing; must be given where there is jitter", field="replications")
        return self

    @model_validator(mode="after")
    def _copies_are_not_too_many(self) -> Self:
        once = len(flows) if isinstance(flows := self.base.get("flows"), list) else 0
        for name, axis in self.vary.items():
            if (number := once * max(axis.copies or [0])) > MOST_FLOWS:
                allowed = f"at most {MOST_FLOWS:,} flows in all"
                raise _wrong("{given} are not allowed; must be {allowed}", given=f"{number:,} flows", allowed=allowed,
                             field=f"{self.place_of(name)}.copies")  # fmt: skip
        return self

    @model_validator(mode="after")
    def _names_and_paths_are_used_once(self) -> Self:
        owners = {"seed": "the replications"} if self.replications else {}
        for name, target in self.varied.items():
            place = self.place_of(name)
            if not name.isidentifier() or name in TAKEN:
                allowed = f"a word of letters, digits and _, and none of {', '.join(TAKEN)}"
                raise _wrong("not allowed as a name; must be {allowed}", allowed=allowed, field=place)
            for path in target.targets:
                if path in owners:
                    raise _wrong("{path} is varied by {owner} already", path=path, owner=owners[path], field=place)
                owners[path] = name
        return self


def _wrong(template: str, **context: str) -> PydanticCustomError:
    return PydanticCustomError("wrong", template, context)


def keys_at(place: Place) -> Iterable[str]:
    """The keys that a sweep's file has at a place."""
    model: type[BaseModel]
    match place:
        case ():
            model = Sweep
        case ("random",):
            model = Random
        case ("random", *_):
            model = Drawn
        case ("jitter", *_):
            model = Distribution
        case _:
            model = Axis
    return [field.alias or name for name, field in model.model_fields.items()]
