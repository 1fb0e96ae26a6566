"""A chapter: one base scenario, the cases that change something in it, and the notebook that shows them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from simcore import ENGINES, Scenario, ScenarioError, load_mapping, scenario_from
from simcore.rounds import RoundsScenario, rounds_scenario_from
from simcore.scenario.change import ChangeError, changed

# Names become directories and, with '-' as '_', parts of the ledger's expressions.
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9.-]*$")]
SCENARIO_FROM: Final = {"packets": scenario_from, "rounds": rounds_scenario_from}


class ChapterError(ValueError):
    """A chapter that can't be run; the message is one line for a person."""


class Strict(BaseModel):
    """No unknown keys, no silent conversions, no changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Case(Strict):
    """One configuration: what is different from the chapter's base, by dotted path."""

    title: str
    change: dict[str, object]


class Chapter(Strict):
    """What params/<chapter>.yaml says: every number of the chapter."""

    chapter: Name
    title: str
    about: str = ""  # what the README's table says of it: what it reproduces
    model: Literal["packets", "rounds"] = "packets"  # what its scenarios are of
    notebook: str
    engine: str  # of packets
    base: dict[str, object]
    cases: dict[Name, Case] = Field(min_length=1)
    then_and_now: dict[Name, dict[str, object]] = {}
    settings: dict[str, object] = {}  # what the chapter's own package needs beside scenarios, and checks: seeds, bins

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a chapter and check that each of its cases is a scenario, under each of its profiles.

        Raises ChapterError with the file, the dotted path, what was given and what is allowed.
        """
        path = Path(path)
        try:
            chapter = cls.model_validate(load_mapping(path))
            chapter._check(path)
        except ValidationError as error:
            raise ChapterError(f"{path}: {_first_problem(error)}") from None
        except ScenarioError as error:
            raise ChapterError(error.args[0]) from None
        return chapter

    def _check(self, path: Path) -> None:
        if self.chapter != path.stem:
            raise ChapterError(f"{path}: chapter: {self.chapter!r} is not allowed; must be {path.stem!r}, as the file")
        if self.engine not in ENGINES:
            raise ChapterError(f"{path}: engine: {self.engine!r} is not known; allowed: {', '.join(ENGINES)}")
        read = SCENARIO_FROM[self.model]
        read(self.base, f"{path}: base: ")
        for case in self.cases:
            where = f"{path}: cases.{case}: "
            read(self._mapping(case, {}, where), where)
            for name, overrides in self.then_and_now.items():
                where = f"{path}: then_and_now.{name}: cases.{case}: "
                read(self._mapping(case, overrides, where), where)

    def scenario(self, case: str, **overrides: object) -> Scenario:
        """The scenario of a case, of packets; `overrides` replace top-level keys, as `profile` or `min_rto_s`."""
        where = f"{self.chapter}: cases.{case}: "
        return scenario_from(self._mapping(case, overrides, where), where)

    def rounds_scenario(self, case: str, **overrides: object) -> RoundsScenario:
        """The scenario of a case, of rounds; `overrides` replace top-level keys, as `seed`."""
        where = f"{self.chapter}: cases.{case}: "
        return rounds_scenario_from(self._mapping(case, overrides, where), where)

    def _mapping(self, case: str, overrides: Mapping[str, object], where: str) -> dict[str, object]:
        if case not in self.cases:
            raise ChapterError(f"{self.chapter}: no case {case!r}; there is {', '.join(self.cases)}")
        try:
            mapping = changed(self.base, self.cases[case].change)
        except ChangeError as error:
            raise ChapterError(f"{where}change: {error}") from None
        return {"name": f"{self.chapter}/{case}"} | mapping | dict(overrides)


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"] if part != "[key]")
    if problem["type"] == "missing":
        return f"{place}: missing; must be given"
    if problem["type"] == "extra_forbidden":
        allowed = Chapter.model_fields if len(problem["loc"]) == 1 else Case.model_fields
        return f"{place}: unknown key; allowed here: {', '.join(allowed)}"
    rule = problem["msg"].partition(" should ")[2]  # pydantic: "Input should be a valid string"
    return f"{place}: {problem['input']!r} is not allowed; must {rule}"
