"""What settings are made of: numbers within bounds, each with unit and example, and mappings without unknown keys.

Scenarios are made of the same (`simcore.scenario`).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

RateMbps = Annotated[float, Field(gt=0, le=1e6, description="rate", examples=[2.0])]
NotNegative = Annotated[float, Field(ge=0, le=1e6), AfterValidator(abs)]  # -0.0 is 0.0: no engine sees its sign
DelayMs = Annotated[NotNegative, Field(description="delay", examples=[10.0])]
PositiveMs = Annotated[float, Field(gt=0, le=1e6, description="time", examples=[100.0])]
Seconds = Annotated[NotNegative, Field(description="time", examples=[0.1])]
PositiveSeconds = Annotated[float, Field(gt=0, le=1e6, description="time", examples=[0.5])]
PacketBytes = Annotated[int, Field(ge=1, le=1_000_000, description="size of a packet", examples=[1000])]
Packets = Annotated[int, Field(ge=1, le=10_000_000, description="a number of packets", examples=[20])]
Positive = Annotated[float, Field(gt=0, le=1e6)]
Window = Annotated[float, Field(ge=1, le=1e7, description="a window in packets", examples=[100.0])]
Fraction = Annotated[float, Field(gt=0, lt=1, description="a part of a whole", examples=[0.5])]
Probability = Annotated[float, Field(gt=0, le=1, description="a probability", examples=[0.1])]

MOST_BYTES: Final = 10_000_000  # in a buffer: each packet that may wait takes memory from the start
BufferBytes = Annotated[int, Field(ge=1, le=MOST_BYTES, description="room for packets", examples=[25_000])]
WaitingPackets = Annotated[int, Field(ge=1, le=100_000, description="packets that may wait", examples=[50])]
Lines = Annotated[int, Field(ge=1, le=65_536, description="lines in which packets wait", examples=[16])]


class Strict(BaseModel):
    """No unknown keys, no silent conversions (a string is not a number), no changes afterwards."""

    # Deferred: most models are only ever part of a scenario, and are built with it, once.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False, defer_build=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, with other values in some fields: validated, which pydantic's own copy leaves out.

        Raises pydantic.ValidationError.
        """
        if not update:
            return super().model_copy(deep=deep)
        return self.model_validate({**self._given(), **update})

    def _given(self) -> dict[str, Any]:
        """What validation makes the same of again."""
        return dict(self)


def as_listed(values: object) -> object:
    """A list, as YAML has it; strict validation wants the tuple that the field is."""
    return tuple(values) if isinstance(values, list) else values
