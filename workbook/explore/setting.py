"""A setting: a scenario as its file would have it, and how each control reads it and makes another of it.

What no control shows stays as it is: the seed, the flows' own links, overridden facts of a profile.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simcore.scenario.change import changed
from simcore.scenario.links import LINKS
from simcore.scenario.profiles import PROFILES
from workbook.explore.kinds import flow_of_kind, kind_of

Setting = Mapping[str, Any]
OWN_NAME: Final = "my-own"  # of a setting that is no chapter's case
UDP_RATE_MBPS: Final = 0.95  # of a source where there was none: that of the study "TCP and UDP"
QUEUE_NAMES: Final = tuple(LINKS)
PROFILE_NAMES: Final = tuple(PROFILES)
LEAST_S: Final = 0.1  # that a flow runs


@dataclass(frozen=True)
class Slider:
    """A number of a setting: its bounds on the panel, how to read it (None: there is none), and how to set it."""

    label: str
    unit: str
    low: float
    high: float
    step: float
    read: Callable[[Setting], float | None]
    write: Callable[[Setting, Any], Setting]

    @property
    def whole(self) -> bool:
        """Does it count something?"""
        return isinstance(self.step, int)


def queue_of(setting: Setting) -> str:
    """The discipline of the bottleneck's queue."""
    return str(setting["bottleneck"]["queue"])


def with_queue(setting: Setting, queue: str) -> Setting:
    """Another discipline with its own defaults, but the same room."""
    line = {name: setting["bottleneck"][name] for name in ("rate_mbps", "delay_ms")}
    packets = buffer_packets(setting)
    in_packets = "buffer_packets" in LINKS[queue].model_fields
    room = {"buffer_packets": packets} if in_packets else {"buffer_bytes": packets * packet_bytes(setting)}
    return {**setting, "bottleneck": {**line, "queue": queue, **room}}


def with_profile(setting: Setting, profile: str) -> Setting:
    """Another profile; facts that were overridden stay."""
    return {**setting, "profile": profile}


def kinds(setting: Setting) -> list[str]:
    """The kinds of the flows, in their order."""
    return [kind_of(flow) for flow in setting["flows"]]


def with_kinds(setting: Setting, wanted: Sequence[str]) -> Setting:
    """As many flows as `wanted` has kinds. A flow whose kind stays is left alone; a further one runs as the last."""
    given = setting["flows"]
    rate = udp_rate_mbps(setting) or UDP_RATE_MBPS
    flows = []
    for place, kind in enumerate(wanted):
        like = given[min(place, len(given) - 1)]
        kept = place < len(given) and kind_of(like) == kind
        flows.append(dict(like) if kept else flow_of_kind(kind, like, rate))
    return {**setting, "flows": flows}


def buffer_packets(setting: Setting) -> int:
    """The room of the queue in packets; a limit in bytes counts for packets of the first flow's size."""
    bottleneck = setting["bottleneck"]
    if "buffer_bytes" in bottleneck:
        return max(1, int(bottleneck["buffer_bytes"] // packet_bytes(setting)))
    return int(bottleneck["buffer_packets"])


def packet_bytes(setting: Setting) -> int:
    """The size of the first flow's packets."""
    return int(setting["flows"][0]["packet_bytes"])


def udp_rate_mbps(setting: Setting) -> float | None:
    """The rate of the first UDP source that has one."""
    return next((float(flow["rate_mbps"]) for flow in setting["flows"] if "rate_mbps" in flow), None)


def _with_buffer(setting: Setting, packets: int) -> Setting:
    if "buffer_bytes" in setting["bottleneck"]:
        return changed(setting, {"bottleneck.buffer_bytes": packets * packet_bytes(setting)})
    return changed(setting, {"bottleneck.buffer_packets": packets})


def _window(setting: Setting) -> int | None:
    return next((int(flow["window_packets"]) for flow in setting["flows"] if flow["kind"] == "tcp"), None)


def _with_each(setting: Setting, key: str, value: Any) -> Setting:
    """Set what some flows have in all that have it."""
    return {**setting, "flows": [{**flow, key: value} if key in flow else flow for flow in setting["flows"]]}


def _gap_s(setting: Setting) -> float | None:
    flows = setting["flows"]
    return round(flows[1]["start_s"] - flows[0]["start_s"], 6) if len(flows) > 1 else None


def _with_gap(setting: Setting, gap_s: float) -> Setting:
    """The flows start one after the other, in their order."""
    first = setting["flows"][0]["start_s"]
    flows = [_running(flow, first + place * gap_s, flow["stop_s"]) for place, flow in enumerate(setting["flows"])]
    end = max(setting["end_s"], *(flow["stop_s"] for flow in flows))
    return {**setting, "end_s": end, "flows": flows}


def _with_end(setting: Setting, end_s: float) -> Setting:
    """A longer or shorter run: the flows stop as long before its end as they did."""
    later = end_s - setting["end_s"]
    starts = [min(flow["start_s"], end_s - 2 * LEAST_S) for flow in setting["flows"]]
    flows = [
        _running(flow, max(start, 0.0), flow["stop_s"] + later)
        for flow, start in zip(setting["flows"], starts, strict=True)
    ]
    return {**setting, "end_s": end_s, "flows": flows}


def _running(flow: Mapping[str, Any], start_s: float, stop_s: float) -> dict[str, Any]:
    start = round(start_s, 6)
    return {**flow, "start_s": start, "stop_s": round(max(stop_s, start + LEAST_S), 6)}


SLIDERS: Final = {
    "rate_mbps": Slider(
        "Rate", "Mb/s", 0.1, 10.0, 0.1,
        lambda s: float(s["bottleneck"]["rate_mbps"]), lambda s, value: changed(s, {"bottleneck.rate_mbps": value}),
    ),
    "delay_ms": Slider(
        "Delay", "ms", 0.0, 200.0, 1.0,
        lambda s: float(s["bottleneck"]["delay_ms"]), lambda s, value: changed(s, {"bottleneck.delay_ms": value}),
    ),
    "buffer_packets": Slider("Buffer", "packets", 1, 100, 1, buffer_packets, _with_buffer),
    "packet_bytes": Slider(
        "Packet size", "bytes", 100, 4000, 100,
        packet_bytes, lambda s, value: changed(s, {"flows.*.packet_bytes": value}),
    ),
    "window_packets": Slider(
        "Window", "packets", 1, 200, 1, _window, lambda s, value: _with_each(s, "window_packets", value)
    ),
    "udp_rate_mbps": Slider(
        "UDP rate", "Mb/s", 0.05, 10.0, 0.05, udp_rate_mbps, lambda s, value: _with_each(s, "rate_mbps", value)
    ),
    "gap_s": Slider("Starts apart", "s", 0.0, 5.0, 0.05, _gap_s, _with_gap),
    "end_s": Slider("Length", "s", 1.0, 60.0, 0.5, lambda s: float(s["end_s"]), _with_end),
}  # fmt: skip
"""The panel's sliders, by name, in their order."""
