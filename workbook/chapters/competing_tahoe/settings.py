"""What the chapter's parameters say beside its scenarios."""

from pydantic import BaseModel, ConfigDict, Field

from simcore import Scenario, scenario_from
from workbook.chapters.chapter import Chapter


class Strict(BaseModel):
    """No unknown keys, no changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Seeds(Strict):
    """Consecutive seeds."""

    first: int = Field(ge=0)
    count: int = Field(ge=2)

    @property
    def all(self) -> range:
        """Every seed."""
        return range(self.first, self.first + self.count)


class BufferSweep(Strict):
    """The report's last experiment: the same for every size of the buffer."""

    mismatch: int
    buffers: list[int] = Field(min_length=2)
    rounds: int
    single_rounds: int


class MismatchSweep(Strict):
    """One buffer, many mismatches."""

    buffer: int
    values: list[int] = Field(min_length=2)


class Packets(Strict):
    """The two senders in the packet model."""

    path: dict[str, object]
    seeds: int = Field(ge=2)
    kept_within: float = Field(gt=1)

    def scenario(self) -> Scenario:
        """The equivalent path. Raises ScenarioError."""
        return scenario_from({"name": "competing-tahoe/packets"} | self.path, "settings.packets.path: ")


class Settings(Strict):
    """The key `settings` of params/competing-tahoe.yaml."""

    seeds: Seeds
    printed: dict[str, list[float]]
    near_percent: float = Field(gt=0)
    sweep: BufferSweep
    mismatches: MismatchSweep
    packets: Packets


def settings_of(chapter: Chapter) -> Settings:
    """The chapter's settings, checked. Raises pydantic's ValidationError."""
    return Settings.model_validate(chapter.settings)
