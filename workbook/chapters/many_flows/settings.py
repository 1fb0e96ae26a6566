"""What the chapter's parameters say beside scenarios, and what is looked at of the sweep."""

from typing import Final

from pydantic import BaseModel, ConfigDict

from workbook.chapters.chapter import Chapter

LOOKS: Final = (1, 2, 3, 4, 5)  # the replications that are looked at
LOOK_BUFFER: Final = 128  # packets: the one that is looked at; a quarter of the pipe


class Settings(BaseModel):
    """The key `settings` of params/many-flows.yaml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    packets_a_s: int  # what the link carries
    rtt_s: float  # the mean of the flows, without a queue
    measured_s: float  # for how long the sweep counts
    full_percent: float  # of the link: so much used is called full

    @property
    def pipe_packets(self) -> float:
        """What the path holds without a queue."""
        return self.packets_a_s * self.rtt_s


def settings_of(chapter: Chapter) -> Settings:
    """The chapter's settings, checked."""
    return Settings.model_validate(chapter.settings)
