"""A scenario: what is simulated, with units in every field name. Nothing outside it sets a number."""

from itertools import pairwise
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from simcore.impairments import Impaired
from simcore.links import AnyQueue, Bottleneck, DropTail, Host, Link
from simcore.profiles import OVERRIDABLE, PROFILES, Profile
from simcore.rules.variants import VARIANTS
from simcore.shapes import DelayMs, PacketBytes, Packets, RateMbps, Seconds, Strict, as_listed


class Flow(Strict):
    """What every flow has: when it runs, and optionally links of its own on either side of the bottleneck."""

    packet_bytes: PacketBytes
    start_s: Seconds
    stop_s: Seconds
    access: Link | None = None
    exit: Link | None = None
    host: Annotated[int, Field(ge=1)] | None = None  # the interface it sends through, counted from 1, instead of access
    enters: Annotated[int, Field(ge=0)] | None = None  # the router, counted from 0, where its packets come into the row
    leaves: Annotated[int, Field(ge=1)] | None = None  # where they leave it

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


class TcpFlow(Impaired, Flow):
    """A TCP sender whose source always has a packet to send, or `transfer_bytes` in all."""

    kind: Literal["tcp"]
    variant: str
    window_packets: Packets
    sink: Literal["immediate", "delayed"] = "immediate"
    growth: Literal["standard", "highspeed", "cubic"] | None = None
    transfer_bytes: Annotated[int, Field(ge=1, le=10**15)] | None = None
    send_jitter_ms: DelayMs | None = None  # longest random delay before sending (ns-2: overhead_)
    ecn: bool | None = None  # explicit congestion notification (RFC 3168): routers may mark its packets

    @field_validator("variant")
    @classmethod
    def _variant_is_known(cls, name: str) -> str:
        if name not in VARIANTS:
            raise PydanticCustomError(
                "unknown_variant",
                "{name} is not known; allowed: {allowed}",
                {"name": repr(name), "allowed": ", ".join(VARIANTS)},
            )
        return name

    @model_validator(mode="after")
    def _variant_knows_ecn(self) -> Self:
        if self.ecn and not VARIANTS[self.variant].knows_ecn:
            raise PydanticCustomError(
                "no_ecn",
                "true is not allowed with {variant}; allowed with {allowed}",
                {
                    "variant": self.variant,
                    "allowed": ", ".join(name for name, variant in VARIANTS.items() if variant.knows_ecn),
                    "field": "ecn",
                },
            )
        return self


class UdpSource(Impaired, Flow):
    """A UDP sender, which nobody answers; its packets have no header."""

    kind: Literal["udp"]


class CbrFlow(UdpSource):
    """A constant bit rate, which counts the packets' bytes."""

    source: Literal["cbr"]
    rate_mbps: RateMbps


class OnOffFlow(UdpSource):
    """Bursts at a constant bit rate and silences between them, both exponentially distributed around their means."""

    source: Literal["exponential"]
    rate_mbps: RateMbps
    burst_s: Annotated[float, Field(gt=0, le=1e6)]
    idle_s: Seconds


class ParetoFlow(UdpSource):
    """Bursts at a constant bit rate and silences between them, both Pareto distributed around their means."""

    source: Literal["pareto"]
    rate_mbps: RateMbps
    burst_s: Annotated[float, Field(gt=0, le=1e6)]
    idle_s: Seconds
    shape: Annotated[float, Field(gt=1, le=100)]


class ReplayFlow(UdpSource):
    """Packets at given times, in order."""

    source: Literal["replay"]
    times_s: tuple[Seconds, ...] = Field(min_length=1)

    @field_validator("times_s", mode="before")
    @classmethod
    def _times_as_listed(cls, times: Any) -> Any:
        return as_listed(times)

    @field_validator("times_s")
    @classmethod
    def _times_are_in_order(cls, times: tuple[float, ...]) -> tuple[float, ...]:
        for before, after in pairwise(times):
            if after < before:
                raise PydanticCustomError(
                    "not_in_order",
                    "{after} is not allowed after {before}; must not decrease",
                    {"after": after, "before": before},
                )
        return times


UdpFlow = CbrFlow | OnOffFlow | ParetoFlow | ReplayFlow
AnyFlow = Annotated[
    TcpFlow | Annotated[UdpFlow, Field(discriminator="source")],
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

    name: str = "scenario"
    profile: Profile
    seed: int = Field(default=1, ge=1, le=4294944442)  # of MRG32k3a; 1 is what ns-2 has without a seed
    random_streams: Literal["shared", "independent"] = "shared"  # one for all as in ns-2, or one each
    end_s: Annotated[float, Field(gt=0, le=1e6)]
    bottleneck: Bottleneck
    onward: tuple[Bottleneck, ...] = Field(default=(), max_length=100)  # links that follow it, each to another router
    hosts: tuple[Host, ...] = Field(default=(), max_length=5000)
    flows: tuple[AnyFlow, ...] = Field(min_length=1, max_length=5000)

    @model_validator(mode="before")
    @classmethod
    def _profile_by_name(cls, given: Any) -> Any:
        """Replace the profile's name and the overrides beside it by the facts themselves."""
        if not isinstance(given, dict) or "profile" not in given:
            return given
        name = given["profile"]
        if not isinstance(name, str) or name not in PROFILES:
            raise PydanticCustomError(
                "unknown_profile",
                "{name} is not known; allowed: {allowed}",
                {"name": repr(name), "allowed": ", ".join(PROFILES), "field": "profile"},
            )
        overrides = {key: given[key] for key in OVERRIDABLE if key in given}
        rest = {key: value for key, value in given.items() if key not in overrides}
        return rest | {"profile": PROFILES[name].model_dump() | overrides}

    @field_validator("flows", "onward", "hosts", mode="before")
    @classmethod
    def _as_listed(cls, values: Any) -> Any:
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
            if flow.spared_packets and not (isinstance(entry, DropTail) and entry.buffer_packets is not None):
                raise PydanticCustomError(
                    "cannot_be_spared",
                    "not possible with this queue; must be left out, or the queue be droptail with buffer_packets",
                    {"field": f"flows.{i}.spared_packets"},
                )
        return self

    def row(self) -> tuple[AnyQueue, ...]:
        """The links between the routers, the bottleneck first; link k leads from router k to router k + 1."""
        return (self.bottleneck, *self.onward)

    def routers(self, flow: Flow) -> tuple[int, int]:
        """Where a flow's packets enter the row and leave it: the first and the last router, where it doesn't say."""
        return flow.enters or 0, len(self.row()) if flow.leaves is None else flow.leaves

    def to_mapping(self) -> dict[str, Any]:
        """The scenario as its file would have it: JSON-able, the profile by name with its overrides beside it."""
        mapping = self.model_dump(mode="json", exclude_none=True)
        mapping = {key: value for key, value in mapping.items() if value != []}
        facts = mapping.pop("profile")
        named = PROFILES[facts["name"]].model_dump()
        overrides = {key: value for key, value in facts.items() if value != named[key]}
        return {"name": mapping.pop("name"), "profile": facts["name"], **overrides, **mapping}

    def to_yaml(self) -> str:
        """The scenario as a YAML file's text."""
        return yaml.safe_dump(self.to_mapping(), sort_keys=False)
