"""Ethernet flow control (IEEE 802.3, annex 31B): a queue that runs full stops those who feed it."""

from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.settings import Packets, Strict


class Pause(Strict):
    """Ethernet flow control (IEEE 802.3, annex 31B): a switch stops those who feed a queue. The frames take no time."""

    high_packets: Packets = Field(description="packets waiting at which those who feed the queue stop", examples=[80])
    low_packets: Annotated[int, Field(ge=0, le=10_000_000)] = Field(
        description="packets waiting at which they may go on; less than high_packets", examples=[40]
    )

    @model_validator(mode="after")
    def _goes_on_below(self) -> Self:
        if self.low_packets >= self.high_packets:
            raise PydanticCustomError(
                "marks_not_in_order",
                "{low} is not allowed; must be less than high_packets, {high}",
                {"low": self.low_packets, "high": self.high_packets, "field": "low_packets"},
            )
        return self


def must_begin(waiting: int, high: int) -> bool:
    """Must the feeders pause, now that so many packets wait? Without marks (`high` is 0) never."""
    return 0 < high <= waiting


def may_end(waiting: int, low: int) -> bool:
    """May they go on?"""
    return waiting <= low
