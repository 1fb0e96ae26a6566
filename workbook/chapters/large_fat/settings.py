"""What the chapter's parameters say beside its scenarios."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from workbook.chapters.chapter import Chapter


class Strict(BaseModel):
    """No unknown keys, no changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Cell(Strict):
    """A cell of slide 15, and the case that gives it.

    *predicted*: nothing was chosen to meet the number; *fitted*: something was; *unexplained*: nothing meets it.
    """

    said: float
    case: str
    mark: Literal["predicted", "fitted", "unexplained"]
    needs: str
    also: list[str] = []  # cases that differ in what the slides leave open
    vary: dict[str, list[object]] = {}  # and a grid of such values, by dotted paths


class Row(Strict):
    """A row of slide 15."""

    network: str
    cells: dict[Literal["single", "multi", "udp"], Cell]


class Bench(Strict):
    """A case, and the modifications that are tried on it, each as changes by dotted paths."""

    title: str
    case: str
    changes: dict[str, dict[str, object]] = Field(min_length=1)


class Recovery(Strict):
    """A path with a full window on which packets are lost on purpose: the first for Reno, both for HighSpeed TCP."""

    mtu: int
    rtt_ms: float
    window: int
    losses: tuple[int, int]
    end_s: float


class Settings(Strict):
    """The key `settings` of params/large-fat.yaml."""

    fast_mbps: float = Field(gt=0)
    memory_bytes: int = Field(gt=0)
    packet_bytes: int = Field(gt=0)
    lines: list[int] = Field(min_length=1)  # OC-n
    memory_rtts_ms: list[float] = Field(min_length=1)
    area_rtts_ms: list[float] = Field(min_length=1)
    marked_rtt_ms: float = Field(gt=0)
    said_mbps: dict[str, float]  # what the slides say of some cases
    table: dict[str, Row]
    txqs_packets: list[int] = Field(min_length=2)
    txq_rtts_ms: list[float] = Field(min_length=1)
    recoveries: dict[str, Recovery]
    lost_at_packets: list[int] = Field(min_length=2)
    benches: dict[str, Bench]
    gap_us: float = Field(gt=0)
    gaps_us: list[float] = Field(min_length=1)
    backlogs_packets: list[int] = Field(min_length=1)


def settings_of(chapter: Chapter) -> Settings:
    """The chapter's settings, checked. Raises pydantic's ValidationError."""
    return Settings.model_validate(chapter.settings)
