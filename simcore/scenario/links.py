"""The links of a scenario: those of the flows' own, the hosts' interfaces, and those of the row with their queues."""

from typing import TYPE_CHECKING, Annotated, Final, Literal, Self, Union

from pydantic import Field, model_validator

from simcore.rules.queues.discipline import QueueSettings
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.settings import DelayMs, NotNegative, Packets, RateMbps, Strict
from simcore.scenario.choices import models_of


class Line(Strict):
    """A link in both directions."""

    rate_mbps: RateMbps = Field(description="bits a second in each direction, headers included", examples=[2])
    delay_ms: DelayMs = Field(description="propagation delay, one way", examples=[10])


class Link(Line):
    """A link with a drop-tail buffer of its own at each end."""

    buffer_packets: Packets = Field(description="drop-tail's limit, the packet being sent included", examples=[50])


WhenFull = Literal["drop", "congestion", "ignore"]


class Host(Line):
    """A host's network interface with its cable, which several flows may share.

    When the interface's queue is full, a packet is dropped there ("drop"); or TCP is refused, keeps the segment and
    reacts as Linux does ("congestion", see `rules.tcp.local_congestion`); or keeps it and does nothing ("ignore").
    """

    queue_packets: Packets = Field(
        description="packets that may wait: Linux's txqueuelen and the card's ring together", examples=[100]
    )
    when_full: WhenFull = Field(
        default="drop",
        description="what happens to a packet that finds the queue full: it is dropped; TCP keeps it and reacts as "
        "Linux does to local congestion; TCP keeps it and does nothing",
        examples=["congestion"],
    )
    gap_us: NotNegative = Field(
        default=0.0, description="least time between the beginnings of two packets", examples=[12]
    )


class RowLink(Line):
    """A link between two routers of the row. Its queue's settings stand beside its own (`LINKS`)."""

    back: Link | None = Field(
        default=None,
        description="the way back, for ACKs; without it as the way out, with a buffer of 50 packets, ns-2's default",
        examples=[{"rate_mbps": 1, "delay_ms": 50, "buffer_packets": 20}],
    )
    queue: str

    @model_validator(mode="after")
    def _queue_goes_with_the_link(self) -> Self:
        if isinstance(self, QueueSettings):
            self.check_on(self.rate_mbps)
        return self


LINKS: Final = models_of(RowLink, "queue", {name: rules.settings for name, rules in DISCIPLINES.items()})
"""A row's link by the name of its queue discipline."""

if TYPE_CHECKING:
    Bottleneck = RowLink
else:
    Bottleneck = Annotated[Union[*LINKS.values()], Field(discriminator="queue")]
