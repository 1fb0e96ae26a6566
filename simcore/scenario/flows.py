"""What flows: TCP and UDP senders, each with its receiver."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, Union

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.headers.registry import OPTIONAL, OPTIONS
from simcore.rules.receivers.registry import SINKS
from simcore.rules.settings import DelayMs, PacketBytes, Packets, Seconds, Strict, as_listed
from simcore.rules.slow_start.registry import CHOICES
from simcore.rules.sources.registry import SOURCES
from simcore.rules.variants import VARIANTS, Variant
from simcore.scenario.choices import known, models_of
from simcore.scenario.chosen import names_and_settings, settings_of
from simcore.scenario.links import Link
from simcore.scenario.losses import Impaired


class Flow(Strict):
    """What every flow has: when it runs, and optionally links of its own on either side of the bottleneck."""

    packet_bytes: PacketBytes = Field(
        description="size of a packet; the headers of the profile come on top, if the variant counts them",
        examples=[1000],
    )
    start_s: Seconds = Field(description="time at which the source starts", examples=[0.1])
    stop_s: Seconds = Field(description="time at which the source stops; what is under way is delivered", examples=[10])
    access: Link | None = Field(
        default=None,
        description="a link of the flow's own from its sender to the first router",
        examples=[{"rate_mbps": 10, "delay_ms": 2, "buffer_packets": 50}],
    )
    exit: Link | None = Field(
        default=None,
        description="a link of the flow's own from the last router to its receiver",
        examples=[{"rate_mbps": 10, "delay_ms": 2, "buffer_packets": 50}],
    )
    host: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="number of the host it sends through, from 1, instead of access", examples=[1]
    )
    enters: Annotated[int, Field(ge=0)] | None = Field(
        default=None,
        description="router at which its packets enter the row, from 0; without it, the first",
        examples=[0],
    )
    leaves: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="router at which its packets leave the row; without it, the last", examples=[2]
    )

    @model_validator(mode="after")
    def _has_one_way_in(self) -> Self:
        if self.host is not None and self.access is not None:
            raise PydanticCustomError(
                "two_ways_in",
                "{host} is not allowed beside access; must be one of them",
                {"host": self.host, "field": "host"},
            )
        return self

    @model_validator(mode="after")
    def _stops_after_it_starts(self) -> Self:
        if self.stop_s <= self.start_s:
            raise PydanticCustomError(
                "stop_before_start",
                "{stop_s} is not allowed; must be greater than start_s, {start_s}",
                {"stop_s": self.stop_s, "start_s": self.start_s, "field": "stop_s"},
            )
        return self


if TYPE_CHECKING:
    SinkName = str
else:
    SinkName = Literal[*SINKS]


class TcpFlow(Impaired, Flow):
    """A TCP sender whose source always has a packet to send, or `transfer_bytes` in all."""

    kind: Literal["tcp"]
    variant: str = Field(
        description="TCP variant: a loss recovery with its usual congestion control, or a control with its recovery; "
        "or such a name with settings of the control",
        examples=["newreno"],
    )
    window_packets: Packets = Field(description="the receiver's advertised window", examples=[20])
    sink: SinkName = Field(
        default="immediate", description="when the receiver acknowledges a segment", examples=["delayed"]
    )
    growth: str | None = Field(
        default=None,
        description="congestion control, or its name with settings; without it the variant's own",
        examples=["highspeed"],
    )
    slow_start: str | None = Field(
        default=None,
        description="how the window opens below ssthresh, and when that ends; without it the usual one of the variant",
        examples=["hystart_pp"],
    )
    transfer_bytes: Annotated[int, Field(ge=1, le=10**15)] | None = Field(
        default=None, description="size of the transfer; without it there is always more to send", examples=[1000000]
    )
    send_jitter_ms: DelayMs | None = Field(
        default=None, description="longest random delay before sending (ns-2: overhead_)", examples=[4]
    )
    ecn: bool | None = Field(
        default=None,
        description="explicit congestion notification (RFC 3168): queues with marks: true mark its packets",
        examples=[True],
    )
    options: tuple[str, ...] | None = Field(
        default=None,
        description=f"further options of the header that both ends use: {', '.join(OPTIONAL)}",
        examples=[["timestamps"]],
    )

    _settings: Strict | None = PrivateAttr(None)  # of the control: in a file they stand with its name

    @model_validator(mode="wrap")
    @classmethod
    def _with_settings(cls, given: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Take the settings of the control from where its name stands."""
        if not isinstance(given, dict):
            return handler(given)
        named, chosen = names_and_settings(given)
        flow = handler(named)
        for choice in chosen:
            if choice.field == "variant" and flow.growth is not None:
                raise PydanticCustomError(
                    "settings_of_another",
                    "not allowed beside growth, whose control it is; must be the name alone",
                    {"field": f"variant.{choice.name}"},
                )
            flow._settings = settings_of(choice, flow.rules().control)
        return flow

    @model_serializer(mode="wrap")
    def _as_given(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As the file has it."""
        flow: dict[str, Any] = handler(self)
        if self._settings is not None:
            field = "variant" if self.growth is None else "growth"
            flow[field] = {flow[field]: self._settings.model_dump(exclude_defaults=True)}
        return flow

    @field_validator("variant")
    @classmethod
    def _variant_is_known(cls, name: str) -> str:
        return known(name, VARIANTS)

    @field_validator("growth")
    @classmethod
    def _growth_is_known(cls, name: str | None) -> str | None:
        return None if name is None else known(name, CONTROLS)

    @field_validator("slow_start")
    @classmethod
    def _slow_start_is_known(cls, name: str | None) -> str | None:
        return None if name is None else known(name, CHOICES)

    @field_validator("options", mode="before")
    @classmethod
    def _as_listed(cls, names: object) -> object:
        return as_listed(names)

    @field_validator("options")
    @classmethod
    def _options_are_known(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for name in names or ():
            known(name, OPTIONAL)
        if names and len(set(names)) < len(names):
            raise PydanticCustomError("named_twice", "{names} is not allowed; must name each once", {"names": [*names]})
        return names

    @model_validator(mode="after")
    def _variant_has_such_a_growth(self) -> Self:
        allowed = VARIANTS[self.variant].controls()
        if self.growth is not None and self.growth not in allowed:
            raise PydanticCustomError(
                "no_such_growth",
                "{growth} is not allowed with {variant}; allowed: {allowed}",
                {"growth": self.growth, "variant": self.variant, "allowed": ", ".join(allowed), "field": "growth"},
            )
        return self

    @model_validator(mode="after")
    def _variant_knows_ecn(self) -> Self:
        if self.ecn and not self.rules().recovery.knows_ecn:
            raise PydanticCustomError(
                "no_ecn",
                "true is not allowed with {variant}; allowed with {allowed}",
                {
                    "variant": self.variant,
                    "allowed": ", ".join(name for name, variant in VARIANTS.items() if variant.recovery.knows_ecn),
                    "field": "ecn",
                },
            )
        return self

    def _given(self) -> dict[str, Any]:
        return self.model_dump()

    @property
    def settings(self) -> Strict | None:
        """What the scenario sets of its congestion control; None: nothing."""
        return self._settings

    def header_options(self) -> list[str]:
        """The options of `simcore.rules.headers.registry` that its packets use, and its receiver obeys."""
        implied = {"ecn": self.ecn, "sack": self.rules().recovery.selective_acks}
        return [name for name in OPTIONS if implied.get(name) or name in (self.options or ())]

    def rules(self) -> Variant:
        """The loss recovery, the congestion control and the slow start of its sender."""
        rules = VARIANTS[self.variant].with_control(self.growth)
        return rules if self.slow_start is None else replace(rules, named_slow_start=self.slow_start)


class UdpFlow(Impaired, Flow):
    """A UDP sender, which nobody answers; its packets have no header. Its source's settings stand beside its own."""

    kind: Literal["udp"]
    source: str


UDP_FLOWS: Final = models_of(UdpFlow, "source", {name: rules.settings for name, rules in SOURCES.items()})
"""A UDP flow by the name of its source."""

if TYPE_CHECKING:
    AnyFlow = TcpFlow | UdpFlow
else:
    AnyFlow = Annotated[
        TcpFlow | Annotated[Union[*UDP_FLOWS.values(),], Field(discriminator="source")],
        Field(discriminator="kind"),
    ]
