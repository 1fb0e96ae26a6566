"""What a flow of a scenario says of losses on purpose (see `simcore.rules.queues.impairment`)."""

from itertools import pairwise
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.settings import Strict, as_listed

MOST_NUMBERS: Final = 1000  # in a list
PacketNumber = Annotated[int, Field(ge=1, le=10**12)]
PacketNumbers = Annotated[tuple[PacketNumber, ...], Field(min_length=1, max_length=MOST_NUMBERS)]


class Impaired(Strict):
    """Which of the flow's packets are lost at the bottleneck, and which are spared from its full queue.

    Packets count from 1 in the order in which they reach the bottleneck, retransmissions and dropped ones included.
    """

    lost_packets: PacketNumbers | None = Field(
        default=None, description="numbers of the packets that the bottleneck loses, increasing", examples=[[3, 7]]
    )
    spared_packets: PacketNumbers | None = Field(
        default=None,
        description="numbers of the packets that a full drop-tail buffer lets in all the same, increasing",
        examples=[[12]],
    )
    loss_probability: Annotated[float, Field(ge=0, le=1), AfterValidator(abs)] | None = Field(
        default=None, description="probability that the bottleneck loses a packet, of each packet", examples=[0.01]
    )

    @property
    def is_impaired(self) -> bool:
        """Is there anything to be lost or spared?"""
        return bool(self.lost_packets or self.spared_packets or self.loss_probability)

    @field_validator("lost_packets", "spared_packets", mode="before")
    @classmethod
    def _numbers_as_listed(cls, numbers: object) -> object:
        return as_listed(numbers)

    @field_validator("lost_packets", "spared_packets")
    @classmethod
    def _numbers_increase(cls, numbers: tuple[int, ...] | None) -> tuple[int, ...] | None:
        for before, after in pairwise(numbers or ()):
            if after <= before:
                raise PydanticCustomError(
                    "not_increasing",
                    "{after} is not allowed after {before}; must increase",
                    {"after": after, "before": before},
                )
        return numbers

    @model_validator(mode="after")
    def _lost_packets_are_not_spared(self) -> Self:
        for number in sorted({*(self.lost_packets or ())}.intersection(self.spared_packets or ())):
            raise PydanticCustomError(
                "lost_and_spared",
                "{number} is not allowed; must not be one of lost_packets",
                {"number": number, "field": "spared_packets"},
            )
        return self
