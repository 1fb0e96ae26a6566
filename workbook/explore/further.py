"""The panel's second level: what fewer people turn. A control that adds a thing also takes it away."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from simcore.scenario.links import LINKS
from workbook.explore.setting import Setting, Slider, queue_of

HOST: Final = {"rate_mbps": 10.0, "delay_ms": 0.1, "queue_packets": 100}
MOST_LINKS: Final = 5


@dataclass(frozen=True)
class Switch:
    """Something that a setting has or has not."""

    label: str
    read: Callable[[Setting], bool]
    write: Callable[[Setting, bool], Setting]


def _links(setting: Setting) -> int:
    return 1 + len(setting.get("onward", ()))


def _with_links(setting: Setting, count: int) -> Setting:
    """Further links are as the first; flows that left behind a link that is gone leave at the last router."""
    onward = [*setting.get("onward", ()), *[setting["bottleneck"]] * count][: count - 1]
    flows = [
        {name: value for name, value in flow.items() if name != "leaves" or value <= count} for flow in setting["flows"]
    ]
    return _without(setting, "onward") | {"flows": flows} | ({"onward": onward} if onward else {})


def _shares_a_host(setting: Setting) -> bool:
    return bool(setting.get("hosts"))


def _with_host(setting: Setting, wanted: bool) -> Setting:
    """All flows behind one interface in place of links of their own, or none."""
    bare = [_without(flow, "host", "access") if wanted else _without(flow, "host") for flow in setting["flows"]]
    without = _without(setting, "hosts")
    if not wanted:
        return without | {"flows": bare}
    return without | {"hosts": [dict(HOST)], "flows": [flow | {"host": 1} for flow in bare]}


def _host_rate(setting: Setting) -> float | None:
    return next((float(host["rate_mbps"]) for host in setting.get("hosts", ())), None)


def _with_host_rate(setting: Setting, rate_mbps: float) -> Setting:
    return {**setting, "hosts": [{**host, "rate_mbps": rate_mbps} for host in setting["hosts"]]}


def _has_ecn(setting: Setting) -> bool:
    """Do flows use it, and does the queue mark, if it can?"""
    can_mark = "marks" in LINKS[queue_of(setting)].model_fields
    uses = any(flow.get("ecn") for flow in setting["flows"])
    return uses and (not can_mark or bool(setting["bottleneck"].get("marks")))


def _with_ecn(setting: Setting, wanted: bool) -> Setting:
    """At both ends and in the queue: a queue that cannot mark drops."""
    link = _without(setting["bottleneck"], "marks")
    marks = {"marks": True} if wanted and "marks" in LINKS[queue_of(setting)].model_fields else {}
    return _with_tcp({**setting, "bottleneck": link | marks}, "ecn", True if wanted else None)


def _jitter_ms(setting: Setting) -> float | None:
    return next((float(flow.get("send_jitter_ms", 0.0)) for flow in setting["flows"] if flow["kind"] == "tcp"), None)


def _with_tcp(setting: Setting, name: str, value: object) -> Setting:
    """A field of all TCP flows; None takes it away."""
    flows = [_with(flow, name, value) if flow["kind"] == "tcp" else flow for flow in setting["flows"]]
    return {**setting, "flows": flows}


def _loss_percent(setting: Setting) -> float:
    return round(100 * float(setting["flows"][0].get("loss_probability", 0.0)), 6)


def _with_losses(setting: Setting, percent: float) -> Setting:
    probability = round(percent / 100, 8) or None
    return {**setting, "flows": [_with(flow, "loss_probability", probability) for flow in setting["flows"]]}


def _with(given: Mapping[str, Any], name: str, value: object) -> dict[str, Any]:
    return _without(given, name) | ({} if value is None else {name: value})


def _without(given: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in names}


FURTHER_SLIDERS: Final = {
    "links": Slider("Bottlenecks", "in a row", 1, MOST_LINKS, 1, _links, _with_links),
    "jitter_ms": Slider(
        "Send jitter", "ms", 0.0, 20.0, 0.5, _jitter_ms, lambda s, value: _with_tcp(s, "send_jitter_ms", value or None)
    ),
    "loss_percent": Slider("Lost by chance", "%", 0.0, 10.0, 0.1, _loss_percent, _with_losses),
    "host_rate_mbps": Slider("Host's rate", "Mb/s", 0.5, 100.0, 0.5, _host_rate, _with_host_rate),
}  # fmt: skip
SWITCHES: Final = {
    "ecn": Switch("ECN, where the queue can mark", _has_ecn, _with_ecn),
    "host": Switch("All senders behind one interface", _shares_a_host, _with_host),
}
