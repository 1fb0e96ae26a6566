"""What the parts of a scenario are made of: numbers within bounds, and mappings without unknown keys."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

RateMbps = Annotated[float, Field(gt=0, le=1e6)]
DelayMs = Annotated[float, Field(ge=0, le=1e6)]
Seconds = Annotated[float, Field(ge=0, le=1e6)]
PacketBytes = Annotated[int, Field(ge=1, le=1_000_000)]
Packets = Annotated[int, Field(ge=1, le=10_000_000)]


class Strict(BaseModel):
    """No unknown keys, no silent conversions (a string is not a number), no changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def as_listed(values: Any) -> Any:
    """A list, as YAML has it; strict validation wants the tuple that the field is."""
    return tuple(values) if isinstance(values, list) else values
