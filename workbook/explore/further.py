"""The panel's second level: what fewer people turn. A control that adds a thing also takes it away."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from simcore.scenario.links import LINKS
from workbook.explore.setting import Setting, Slider, queue_of

HOST: Final = {"rate_mbps": 10.0, "delay_ms": 0.1, "queue_packets": 100}
OWN_LINK: Final = {"rate_mbps": 10.0, "delay_ms": 1.0, "buffer_packets": 50}  # the buffer is ns-2's default
MOST_LINKS: Final = 5


@dataclass(frozen=True)
class Switch:
    """Something that a setting has or has not."""

    label: str
    read: Callable[[Setting], bool]
    write: Callable[[Setting, bool], Setting]


@dataclass(frozen=True)
class Choice:
    """One of a few arrangements: what each is called, by its name."""

    label: str
    texts: Mapping[str, str]
    read: Callable[[Setting], str]
    write: Callable[[Setting, str], Setting]


def _links(setting: Setting) -> int:
    return 1 + len(setting.get("onward", ()))


def _with_links(setting: Setting, count: int) -> Setting:
    """Further links are as the first; flows that left behind a link that is gone leave at the last router."""
    onward = [*setting.get("onward", ()), *[setting["bottleneck"]] * count][: count - 1]
    flows = [
        {name: value for name, value in flow.items() if name != "leaves" or value <= count} for flow in setting["flows"]
    ]
    return _without(setting, "onward") | {"flows": flows} | ({"onward": onward} if onward else {})


def in_step(before: Setting, after: Setting) -> Setting:
    """The setting `after` a change; links of the row that were as the bottleneck stay as it is."""
    onward = before.get("onward", ())
    if not onward or any(link != before["bottleneck"] for link in onward) or after.get("onward") != onward:
        return after
    return {**after, "onward": [after["bottleneck"]] * len(onward)}


def _senders(setting: Setting) -> str:
    if setting.get("hosts"):
        return "host"
    return _has_links(setting, "access")


def _with_senders(setting: Setting, wanted: str) -> Setting:
    """All flows behind one interface, each behind a link of its own, or none of that."""
    access = {"access": dict(OWN_LINK)} if wanted == "own" else {}
    host = {"host": 1} if wanted == "host" else {}
    flows = [_without(flow, "host", "access") | access | host for flow in setting["flows"]]
    return _without(setting, "hosts") | {"flows": flows} | ({"hosts": [dict(HOST)]} if host else {})


def _receivers(setting: Setting) -> str:
    return _has_links(setting, "exit")


def _with_receivers(setting: Setting, wanted: str) -> Setting:
    own = {"exit": dict(OWN_LINK)} if wanted == "own" else {}
    return {**setting, "flows": [_without(flow, "exit") | own for flow in setting["flows"]]}


def _has_links(setting: Setting, side: str) -> str:
    return "own" if any(side in flow for flow in setting["flows"]) else "router"


def _own_links(setting: Setting, side: str) -> list[Mapping[str, Any]]:
    return [flow[side] for flow in setting["flows"] if side in flow]


def _own(side: str, name: str) -> Callable[[Setting], float | None]:
    """How to read a number of the first link of the flows' own on one side."""
    return lambda setting: next((float(link[name]) for link in _own_links(setting, side)), None)


def _with_own(side: str, name: str) -> Callable[[Setting, float], Setting]:
    """How to set a number of all links of the flows' own on one side."""
    return lambda setting, value: _with_links_of(setting, side, name, [value] * len(setting["flows"]))


def _with_links_of(setting: Setting, side: str, name: str, values: Iterable[float]) -> Setting:
    pairs = zip(setting["flows"], values, strict=True)
    flows = [flow | {side: {**flow[side], name: value}} if side in flow else flow for flow, value in pairs]
    return {**setting, "flows": flows}


def _access_step_ms(setting: Setting) -> float | None:
    """How much longer the second flow's link is than the first one's."""
    links = _own_links(setting, "access")
    return round(links[1]["delay_ms"] - links[0]["delay_ms"], 6) if len(links) > 1 else None


def _with_access_step(setting: Setting, step_ms: float) -> Setting:
    """The first flow's link keeps its delay."""
    return _with_access_delays(setting, _own("access", "delay_ms")(setting), step_ms)


def _with_access_delay(setting: Setting, delay_ms: float) -> Setting:
    """The other flows' links stay as much longer as they are."""
    return _with_access_delays(setting, delay_ms, _access_step_ms(setting))


def _with_access_delays(setting: Setting, first_ms: float | None, step_ms: float | None) -> Setting:
    delays = [max(0.0, round((first_ms or 0.0) + k * (step_ms or 0.0), 6)) for k in range(len(setting["flows"]))]
    return _with_links_of(setting, "access", "delay_ms", delays)


def _host_rate(setting: Setting) -> float | None:
    return next((float(host["rate_mbps"]) for host in setting.get("hosts", ())), None)


def _with_host_rate(setting: Setting, rate_mbps: float) -> Setting:
    hosts = [{**host, "rate_mbps": rate_mbps} for host in setting.get("hosts", ())]
    return _without(setting, "hosts") | ({"hosts": hosts} if hosts else {})


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
    "jitter_ms": Slider(
        "Send jitter", "ms", 0.0, 20.0, 0.5, _jitter_ms, lambda s, value: _with_tcp(s, "send_jitter_ms", value or None)
    ),
    "loss_percent": Slider("Lost by chance", "%", 0.0, 10.0, 0.1, _loss_percent, _with_losses),
    "host_rate_mbps": Slider("Interface", "Mb/s", 0.1, 100.0, 0.1, _host_rate, _with_host_rate),
    "access_rate_mbps": Slider(
        "Access rate", "Mb/s", 0.1, 100.0, 0.1, _own("access", "rate_mbps"), _with_own("access", "rate_mbps")
    ),
    "access_delay_ms": Slider(
        "Access delay", "ms", 0.0, 100.0, 0.1, _own("access", "delay_ms"), _with_access_delay
    ),
    "access_step_ms": Slider("Each longer by", "ms", 0.0, 100.0, 0.1, _access_step_ms, _with_access_step),
    "exit_rate_mbps": Slider(
        "Exit rate", "Mb/s", 0.1, 100.0, 0.1, _own("exit", "rate_mbps"), _with_own("exit", "rate_mbps")
    ),
    "exit_delay_ms": Slider(
        "Exit delay", "ms", 0.0, 100.0, 0.1, _own("exit", "delay_ms"), _with_own("exit", "delay_ms")
    ),
    "links": Slider("Bottlenecks", "in a row", 1, MOST_LINKS, 1, _links, _with_links),
}  # fmt: skip
SWITCHES: Final = {"ecn": Switch("ECN, where the queue can mark", _has_ecn, _with_ecn)}
CHOICES: Final = {
    "senders": Choice(
        "Senders",
        {"router": "at the first router", "own": "behind links of their own", "host": "behind one interface"},
        _senders,
        _with_senders,
    ),
    "receivers": Choice(
        "Receivers", {"router": "at the last router", "own": "behind links of their own"}, _receivers, _with_receivers
    ),
}
ORDER: Final = (
    "links", "ecn", "jitter_ms", "loss_percent", "senders", "host_rate_mbps",
    "access_rate_mbps", "access_delay_ms", "access_step_ms", "receivers", "exit_rate_mbps", "exit_delay_ms",
)  # fmt: skip
"""All of them, top to bottom."""
