"""What the chapter's parameters say beside its scenarios."""

from pydantic import BaseModel, ConfigDict, Field

from workbook.chapters.chapter import Chapter
from workbook.export.player import Scene


class Strict(BaseModel):
    """No unknown keys, no changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Player(Strict):
    """What the player shows: scenes of the first of the ten runs of a case."""

    case: str
    scenes: list[Scene] = Field(min_length=1)


class Printed(Strict):
    """An average with its interval as the paper prints it, in Mb/s."""

    mean: float
    low: float
    high: float


class Settings(Strict):
    """The key `settings` of params/background-traffic.yaml."""

    nodes: list[tuple[int, int]]
    seeds: dict[str, list[int]] = Field(min_length=1)
    half_width_mbps: float = Field(gt=0)
    traced: list[str]
    bins_s: list[float] = Field(min_length=1)
    bin_s: float = Field(gt=0)
    superposed_bin_s: float = Field(gt=0)
    player: Player
    printed: dict[str, Printed]


def settings_of(chapter: Chapter) -> Settings:
    """The chapter's settings, checked. Raises pydantic's ValidationError."""
    return Settings.model_validate(chapter.settings)
