"""What the chapter's parameters say beside its scenarios."""

from pydantic import BaseModel, ConfigDict, Field

from workbook.chapter import Chapter


class Settings(BaseModel):
    """The key `settings` of params/large-fat.yaml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fast_mbps: float = Field(gt=0)
    memory_bytes: int = Field(gt=0)
    packet_bytes: int = Field(gt=0)
    lines: list[int] = Field(min_length=1)  # OC-n
    memory_rtts_ms: list[float] = Field(min_length=1)
    area_rtts_ms: list[float] = Field(min_length=1)
    marked_rtt_ms: float = Field(gt=0)
    said_mbps: dict[str, float]  # what the slides say of some cases
    backlogs_packets: list[int] = Field(min_length=1)


def settings_of(chapter: Chapter) -> Settings:
    """The chapter's settings, checked. Raises pydantic's ValidationError."""
    return Settings.model_validate(chapter.settings)
