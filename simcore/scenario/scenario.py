"""A scenario: what is simulated, with units in every field name. Nothing outside it sets a number."""

from collections.abc import Iterable, Mapping
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
from simcore.rules.queues import droptail
from simcore.rules.receivers.registry import SINKS
from simcore.rules.settings import DelayMs, PacketBytes, Packets, Seconds, Strict, as_listed
from simcore.rules.sources.registry import SOURCES
from simcore.rules.variants import NOT_MODELLED, VARIANTS, Variant
from simcore.scenario.choices import models_of
from simcore.scenario.chosen import names_and_settings, settings_of
from simcore.scenario.clock import check_clock
from simcore.scenario.links import Bottleneck, Host, Link, RowLink
from simcore.scenario.losses import Impaired
from simcore.scenario.profiles import OVERRIDABLE, PROFILES, Profile
from simcore.scenario.text import yaml_text


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


def known(name: str, names: Iterable[str]) -> str:
    """The name, if it is one of those that are registered now."""
    if name in names:
        return name
    raise PydanticCustomError(
        "unknown_name", "{name} is not known; allowed: {allowed}", {"name": repr(name), "allowed": ", ".join(names)}
    )


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
        return known(name, (*VARIANTS, *NOT_MODELLED))

    @field_validator("growth")
    @classmethod
    def _growth_is_known(cls, name: str | None) -> str | None:
        return None if name is None else known(name, CONTROLS)

    @model_validator(mode="after")
    def _variant_has_such_a_growth(self) -> Self:
        allowed = [] if self.variant in NOT_MODELLED else VARIANTS[self.variant].controls()
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

    def rules(self) -> Variant:
        """The loss recovery and the congestion control of its sender."""
        return NOT_MODELLED.get(self.variant) or VARIANTS[self.variant].with_control(self.growth)


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


def out_of_range(given: int, allowed: str, field: str) -> PydanticCustomError:
    """The error for a number that nothing in the scenario has."""
    return PydanticCustomError(
        "out_of_range",
        "{given} is not allowed; must be {allowed}",
        {"given": given, "allowed": allowed, "field": field},
    )


class Scenario(Strict):
    """One simulation from t = 0 to `end_s`: a bottleneck, the flows that share it, and the TCP they speak.

    In a file, `profile` is a name and its fields may be overridden beside it (`min_rto_s: 0.2`).
    """

    name: str = Field(
        default="scenario",
        pattern=r"^[^\x00]*$",  # what HDF5 can't write
        description="title; the file's name, if not given",
        examples=["two senders"],
    )
    profile: Profile = Field(description="whose TCP: the facts of one implementation", examples=["ns-2.27"])
    seed: int = Field(
        default=1,
        ge=1,
        le=4294944442,
        description="seed of the random numbers (MRG32k3a); 1 is what ns-2 has without a seed",
        examples=[7],
    )
    random_streams: Literal["shared", "independent"] = Field(
        default="shared",
        description="one stream of random numbers for all, as in ns-2, or one for each component",
        examples=["independent"],
    )
    end_s: float = Field(gt=0, le=1e6, description="time at which the simulation ends; it starts at 0", examples=[10.5])
    bottleneck: Bottleneck = Field(
        description="the link that all flows share, and its queue",
        examples=[{"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20}],
    )
    onward: tuple[Bottleneck, ...] = Field(
        default=(),
        max_length=100,
        description="links that follow the bottleneck in a row, each to another router",
        examples=[[{"rate_mbps": 1, "delay_ms": 5, "queue": "droptail", "buffer_packets": 20}]],
    )
    hosts: tuple[Host, ...] = Field(
        default=(),
        max_length=5000,
        description="network interfaces that several flows may share; a flow names one by its number",
        examples=[[{"rate_mbps": 1000, "delay_ms": 0.1, "queue_packets": 100}]],
    )
    flows: tuple[AnyFlow, ...] = Field(
        min_length=1,
        max_length=5000,
        description="the senders, each with its receiver",
        examples=[
            [{"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0, "stop_s": 10}]
        ],
    )

    @model_validator(mode="before")
    @classmethod
    def _with_overrides(cls, given: object) -> object:
        """Put the profile's name and the overrides, which stand beside it, together."""
        if not isinstance(given, dict) or "profile" not in given or isinstance(given["profile"], Profile):
            return given
        overrides = {key: given[key] for key in OVERRIDABLE if key in given}
        rest = {key: value for key, value in given.items() if key not in overrides}
        return rest | {"profile": (given["profile"], overrides)}

    @field_validator("profile", mode="before")
    @classmethod
    def _profile_by_name(cls, given: Profile | tuple[str, dict[str, object]]) -> Profile | dict[str, object]:
        """Replace the profile's name and the overrides by the facts themselves."""
        if isinstance(given, Profile):  # of a copy
            return given
        name, overrides = given
        return PROFILES[known(name, [*PROFILES])].model_dump() | overrides

    @field_validator("flows", "onward", "hosts", mode="before")
    @classmethod
    def _as_listed(cls, values: object) -> object:
        return as_listed(values)

    @model_validator(mode="after")
    def _flows_start_before_the_end(self) -> Self:
        for i, flow in enumerate(self.flows):
            if flow.start_s >= self.end_s:
                raise PydanticCustomError(
                    "starts_after_end",
                    "{start_s} is not allowed; must be less than end_s, {end_s}",
                    {"start_s": flow.start_s, "end_s": self.end_s, "field": f"flows.{i}.start_s"},
                )
        return self

    @model_validator(mode="after")
    def _flows_find_their_way(self) -> Self:
        router_of: dict[int, int] = {}  # a host is plugged in at one router
        for i, flow in enumerate(self.flows):
            if flow.host is not None and flow.host > len(self.hosts):
                raise out_of_range(flow.host, f"at most {len(self.hosts)}, the number of hosts", f"flows.{i}.host")
            if flow.leaves is not None and flow.leaves > len(self.row()):
                raise out_of_range(flow.leaves, f"at most {len(self.row())}, the last router", f"flows.{i}.leaves")
            first, last = self.routers(flow)
            if first >= last:
                raise out_of_range(first, f"less than {last}, where it leaves", f"flows.{i}.enters")
            if flow.host is not None and router_of.setdefault(flow.host, first) != first:
                at = router_of[flow.host]
                raise out_of_range(
                    first, f"{at}, where the flows before it leave host {flow.host}", f"flows.{i}.enters"
                )
        return self

    @model_validator(mode="after")
    def _packets_are_spared_from_plain_drop_tail(self) -> Self:
        for i, flow in enumerate(self.flows):
            entry = self.row()[self.routers(flow)[0]]
            if flow.spared_packets and not (isinstance(entry, droptail.Settings) and entry.buffer_packets is not None):
                raise PydanticCustomError(
                    "cannot_be_spared",
                    "not possible with this queue; must be left out, or the queue be droptail with buffer_packets",
                    {"field": f"flows.{i}.spared_packets"},
                )
        return self

    @model_validator(mode="after")
    def _clock_resolves_it(self) -> Self:
        check_clock(self)
        return self

    def changed(self, changes: Mapping[str, Any]) -> "Scenario":
        """Another scenario, with other values at some places.

        Parameters
        ----------
        changes : mapping of str to object
            Dotted paths and what is to stand there, as a file would have it: `{"bottleneck.buffer_packets": 5,
            "flows.*.variant": "cubic", "flows.0.variant.cubic.beta": 0.5}`. `*` stands for every element of a list.

        Returns
        -------
        Scenario
            The changed one; this one stays as it is.

        Raises
        ------
        ScenarioError
            A line for each problem: a path that leads nowhere, or a value that is not allowed there.
        """
        from simcore.scenario.loading import changed_scenario  # which reads scenarios, and so imports this module

        return changed_scenario(self, changes)

    def row(self) -> tuple[RowLink, ...]:
        """The links between the routers, the bottleneck first.

        Returns
        -------
        tuple of RowLink
            Link k leads from router k to router k + 1.
        """
        return (self.bottleneck, *self.onward)

    def routers(self, flow: Flow) -> tuple[int, int]:
        """Where a flow's packets enter the row and leave it.

        Parameters
        ----------
        flow : Flow
            One of the scenario's flows.

        Returns
        -------
        tuple of int
            The first and the last router, from 0; those at the row's ends where the flow doesn't say.
        """
        return flow.enters or 0, len(self.row()) if flow.leaves is None else flow.leaves

    def to_mapping(self) -> dict[str, Any]:
        """The scenario as its file would have it.

        Returns
        -------
        dict
            Fit for JSON; the profile by its name, with the overrides beside it.
        """
        mapping = self.model_dump(mode="json", exclude_none=True)
        mapping = {key: value for key, value in mapping.items() if value != []}
        facts = mapping.pop("profile")
        named = PROFILES[facts["name"]].model_dump()
        overrides = {key: value for key, value in facts.items() if value != named[key]}
        return {"name": mapping.pop("name"), "profile": facts["name"], **overrides, **mapping}

    def to_yaml(self) -> str:
        """The scenario as the text of a YAML file.

        Returns
        -------
        str
            `load_scenario` reads the same scenario from it.
        """
        return yaml_text(self.to_mapping())
