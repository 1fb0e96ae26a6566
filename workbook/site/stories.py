"""Stories: a question, a bet, the run, what came of it, free play and a chapter, as params/stories/*.yaml tells them.

No number of a text is typed: it is a formula of the runs, which the page computes with the engine that it has.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from simcore import ScenarioError, load_mapping, scenario_from
from simcore.scenario.change import ChangeError, changed
from workbook.chapters.chapter import Chapter, ChapterError
from workbook.explore.setting import Setting
from workbook.paths import REPO, Places
from workbook.site.formulas import FormulaError, Runs, Tree, flows_of, tree_of, worth

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3)]
Sentences = Annotated[Text, StringConstraints(max_length=420)]  # what a phone shows above the stage
NUMBER: Final = re.compile(r"\{(\w+)(?::([0-3]))?\}")  # in a text: its name, and its digits after the point
CASE: Final = re.compile(r"^([\w-]+)/([\w.-]+)$")


class StoryError(ValueError):
    """A story that cannot be told; the message is one line for a person."""


class Strict(BaseModel):
    """No unknown keys, no silent conversions, no changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Choice(Strict):
    """What a reader may bet on, and when it comes true."""

    says: Annotated[Text, StringConstraints(max_length=60)]
    when: str


class Story(Strict):
    """What a file says. The first run is seen with the question, the last one, over the first, with what came of it."""

    place: int = Field(ge=1)  # among the stories
    title: Annotated[Text, StringConstraints(max_length=50)]
    question: Sentences
    case: Annotated[str, StringConstraints(pattern=CASE.pattern)]  # a chapter and its case
    runs: dict[Name, dict[str, object]] = Field(min_length=2, max_length=4)
    numbers: dict[Name, str] = {}
    bet: list[Choice] = Field(min_length=2, max_length=4)
    watch: Sentences
    moment: str
    reveal: Sentences
    play: Sentences
    chapter: str

    @classmethod
    def load(cls, path: Path, places: Places = REPO) -> Self:
        """Read a story and check all of it but what comes of its runs.

        Raises StoryError with the file, the dotted path, what was given and what is allowed.
        """
        try:
            story = cls.model_validate(load_mapping(path))
            story._check(places)
        except ValidationError as error:
            raise StoryError(f"{path}: {_first_problem(error)}") from None
        except ScenarioError as error:
            raise StoryError(str(error.args[0])) from None
        except StoryError as error:
            raise StoryError(f"{path}: {error}") from None
        return story

    def _check(self, places: Places) -> None:
        self.settings(places)
        _chapter(self.chapter, "chapter", places)
        numbers = {f"numbers.{name}": tree for name, tree in self.trees.items()}
        for name, tree in {**numbers, **self.conditions, "moment": self.moment_tree}.items():
            if beyond := {flow for flow in flows_of(tree) if flow > self.least_flows(places)}:
                raise StoryError(f"{name}: flow {min(beyond)} is not in every run")
        for field in ("question", "watch", "reveal", "play"):
            self._check_text(field, getattr(self, field))

    def _check_text(self, field: str, text: str) -> None:
        for name, _ in NUMBER.findall(text):
            if name not in self.numbers:
                raise StoryError(f"{field}: {{{name}}}: no such number; there is {', '.join(self.numbers)}")
        if typed := re.search(r"[\d{}]\S*", NUMBER.sub("", text)):
            raise StoryError(f"{field}: {typed[0]!r} is typed; a number is computed: {{name}}, as numbers has it")

    @cached_property
    def trees(self) -> Mapping[str, Tree]:
        """The numbers' formulas; one may name those before it."""
        found: dict[str, Tree] = {}
        for name, text in self.numbers.items():
            found[name] = self._tree(f"numbers.{name}", text, found)
        return found

    @cached_property
    def conditions(self) -> Mapping[str, Tree]:
        """When each bet comes true."""
        return {f"bet.{k}.when": self._tree(f"bet.{k}.when", each.when, self.trees) for k, each in enumerate(self.bet)}

    @cached_property
    def moment_tree(self) -> Tree:
        """When it happens, in s."""
        return self._tree("moment", self.moment, self.trees)

    def _tree(self, where: str, text: str, numbers: Mapping[str, Tree]) -> Tree:
        try:
            return tree_of(text, list(self.runs), numbers)
        except FormulaError as error:
            raise StoryError(f"{where}: {error}") from None

    def settings(self, places: Places = REPO) -> dict[str, Setting]:
        """The runs' scenarios as mappings. Raises StoryError and ScenarioError."""
        chapter, case = self.case.split("/")
        told = _chapter(chapter, "case", places)
        if case not in told.cases:
            raise StoryError(f"case: {chapter} has no case {case!r}; there is {', '.join(told.cases)}")
        base = changed(told.base, told.cases[case].change)
        return {run: _changed(base, change, run) for run, change in self.runs.items()}

    def least_flows(self, places: Places = REPO) -> int:
        """How many flows every run has."""
        return min(len(setting["flows"]) for setting in self.settings(places).values())

    def answers(self, runs: Runs) -> list[int]:
        """Which bets come true in the runs, from 1: one, if the story is right."""
        return [k for k, tree in enumerate(self.conditions.values(), 1) if worth(tree, runs)]

    def told(self, field: str, runs: Runs) -> str:
        """A text with its numbers."""
        trees = self.trees
        return NUMBER.sub(lambda match: f"{worth(trees[match[1]], runs):,.{match[2] or 0}f}", str(getattr(self, field)))


def stories(places: Places = REPO) -> dict[str, Story]:
    """All of them by the names of their files, in their order. Raises StoryError."""
    paths = sorted(places.params.joinpath("stories").glob("*.yaml"))
    found = {path.stem: Story.load(path, places) for path in paths}
    order = sorted(found, key=lambda name: found[name].place)
    for one, other in pairwise(order):
        if found[one].place == found[other].place:
            raise StoryError(f"params/stories/{other}.yaml: place: {found[other].place} is that of {one}, too")
    return {name: found[name] for name in order}


def _chapter(name: str, where: str, places: Places) -> Chapter:
    path = places.params / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(each.stem for each in places.params.glob("*.yaml")))
        raise StoryError(f"{where}: no chapter {name!r}; there is {known}")
    try:
        return Chapter.load(path)
    except ChapterError as error:
        raise StoryError(f"{where}: {error}") from None


def _changed(base: Setting, change: Mapping[str, object], run: str) -> Setting:
    try:
        return scenario_from(changed(base, change), f"runs.{run}: ").to_mapping()
    except (ChangeError, ScenarioError) as error:
        raise StoryError(f"runs.{run}: {str(error).removeprefix(f'runs.{run}: ')}") from None


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"] if part != "[key]")
    if problem["type"] == "missing":
        return f"{place}: missing; must be given"
    if problem["type"] == "extra_forbidden":
        allowed = Story.model_fields if len(problem["loc"]) == 1 else Choice.model_fields
        return f"{place}: unknown key; allowed here: {', '.join(allowed)}"
    return f"{place}: {problem['input']!r} is not allowed; {problem['msg']}"
