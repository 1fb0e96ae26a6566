"""A scenario: what is simulated, with units in every field name. Nothing outside it sets a number."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from simcore.rules.headers.registry import OPTIONS
from simcore.rules.queues import droptail
from simcore.rules.settings import Strict, as_listed
from simcore.rules.slow_start.registry import SLOW_STARTS
from simcore.rules.stack import control_in
from simcore.scenario.choices import known
from simcore.scenario.clock import check_clock
from simcore.scenario.flows import AnyFlow, Flow, TcpFlow
from simcore.scenario.links import Bottleneck, Host, RowLink
from simcore.scenario.profiles import OVERRIDABLE, PROFILES, Profile
from simcore.scenario.text import yaml_text


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
    def _senders_know_their_options(self) -> Self:
        stack = self.profile.stack
        for i, flow in enumerate(self.flows):
            for name in (isinstance(flow, TcpFlow) and flow.options) or ():
                if stack not in OPTIONS[name].stacks:
                    raise PydanticCustomError(
                        "unknown_option",
                        "{name} is not possible with the stack {stack}; must be left out, or another profile",
                        {"name": repr(name), "stack": stack, "field": f"flows.{i}.options"},
                    )
        return self

    @model_validator(mode="after")
    def _senders_leave_slow_start_to_others(self) -> Self:
        stack = self.profile.stack
        for i, flow in enumerate(self.flows):
            if not isinstance(flow, TcpFlow) or flow.slow_start is None:
                continue
            control = control_in(stack, flow.rules().control)
            reason = f"{control.title}, which has its own" if control.own_slow_start else f"the stack {stack}"
            if control.own_slow_start or stack not in SLOW_STARTS[flow.slow_start].stacks:
                raise PydanticCustomError(
                    "no_such_slow_start",
                    "{name} is not possible with {reason}; must be left out",
                    {"name": repr(flow.slow_start), "reason": reason, "field": f"flows.{i}.slow_start"},
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
