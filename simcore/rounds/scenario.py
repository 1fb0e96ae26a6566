"""A scenario of the round model: what is simulated, with units in every field name."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.settings import Strict
from simcore.scenario.text import yaml_text

Round = Annotated[int, Field(ge=0, le=1_000_000)]  # rounds are numbered from 0


class Idle(Strict):
    """A pause of a sender, first and last round included.

    Dropped: it vanishes, and comes back with a new session. Kept alive: one byte a round keeps its window.
    """

    connection: Literal["dropped", "kept_alive"]
    first_round: Round
    last_round: Round

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if self.last_round < self.first_round:
            raise PydanticCustomError(
                "ends_before_start",
                "{last} is not allowed; must be at least first_round, {first}",
                {"last": self.last_round, "first": self.first_round, "field": "last_round"},
            )
        return self


class RoundsSender(Strict):
    """A greedy Tahoe sender with a receiver of its own."""

    start_round: Round = 0
    idle: Idle | None = None

    @model_validator(mode="after")
    def _starts_before_it_pauses(self) -> Self:
        if self.idle and self.idle.first_round <= self.start_round:
            raise PydanticCustomError(
                "pauses_before_start",
                "{first} is not allowed; must be greater than start_round, {start}",
                {"first": self.idle.first_round, "start": self.start_round, "field": "idle.first_round"},
            )
        return self


class RoundsScenario(Strict):
    """`rounds` round trips of one or two senders through a router that can hold `buffer_segments`.

    `mismatch` is how many segments arrive while the router sends one. The last three fields change a rule of the
    original, to see what it does.
    """

    name: str = "rounds"
    reading: Literal["original", "literal", "fitted"] = Field(description="the router's rule: rules/router.py")
    rounds: int = Field(ge=1, le=1_000_000)
    mismatch: int = Field(ge=2, le=1000)
    buffer_segments: int = Field(ge=1, le=1000)
    mss_bytes: int = Field(default=1024, ge=64, le=32768)
    seed: int = Field(default=0, ge=0, le=2**63 - 1)  # of Python's own generator; the original router needs none
    senders: tuple[RoundsSender, ...] = Field(min_length=1, max_length=2)
    eighth_added: bool = Field(default=True, description="congestion avoidance adds MSS/8 for every new ACK")
    go_back_n: bool = Field(
        default=False, description="after a loss everything is sent again; receivers ignore old bytes"
    )
    holes_skipped: bool = Field(default=False, description="ACKs behind a hole are read")

    @field_validator("senders", mode="before")
    @classmethod
    def _senders_as_listed(cls, senders: object) -> object:
        """A list, as YAML has it; strict validation wants the tuple that the field is."""
        return tuple(senders) if isinstance(senders, list) else senders

    @model_validator(mode="after")
    def _original_router_relays_one_sender(self) -> Self:
        if self.reading == "original" and len(self.senders) > 1:
            raise PydanticCustomError(
                "too_many_senders",
                "'original' is not allowed with {senders} senders; must be literal or fitted",
                {"senders": len(self.senders), "field": "reading"},
            )
        return self

    @model_validator(mode="after")
    def _senders_start_before_the_end(self) -> Self:
        for i, sender in enumerate(self.senders):
            if sender.start_round >= self.rounds:
                raise PydanticCustomError(
                    "starts_after_end",
                    "{start} is not allowed; must be less than rounds, {rounds}",
                    {"start": sender.start_round, "rounds": self.rounds, "field": f"senders.{i}.start_round"},
                )
        return self

    def to_mapping(self) -> dict[str, Any]:
        """The scenario as its file would have it: JSON-able."""
        return self.model_dump(mode="json", exclude_none=True)

    def to_yaml(self) -> str:
        """The scenario as a YAML file's text."""
        return yaml_text(self.to_mapping())
