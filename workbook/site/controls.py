"""What a page may set: controls with positions, and the setting that all positions together are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from simcore.rules.queues.registry import DISCIPLINES
from simcore.scenario.links import LINKS
from workbook.explore import kinds as offers
from workbook.explore import setting as st
from workbook.explore.setting import SLIDERS, Setting

UDP: Final = tuple(offers.RATED)  # the kinds of flows that are no TCP
# A limit in bytes may hold thousands of packets, more than a page's world has room for: DRR is not offered.
QUEUES: Final = tuple(name for name in st.QUEUE_NAMES if "buffer_packets" in LINKS[name].model_fields)
PROFILES: Final = ("ns-2.27", "ns-2.35", "rfc")  # Linux has a sender of its own, with other words than windows
Positions = Mapping[str, int]  # by control


@dataclass(frozen=True)
class Control:
    """What can be set: its name, what it is called, its unit, the values of its positions, and how to set one."""

    name: str
    label: str
    unit: str
    values: Sequence[Any]
    write: Callable[[Setting, Any], Setting]
    texts: Sequence[str] = ()  # of values that are no numbers
    usual: Any = None  # where a setting has no such thing: no TCP flow, or no UDP flow


def _steps(*spans: tuple[float, float, float]) -> list[float]:
    """Values from, to and by."""
    found = [round(low + step * k, 6) for low, high, step in spans for k in range(round((high - low) / step) + 1)]
    return sorted(set(found))


def _whole(*spans: tuple[int, int, int]) -> list[int]:
    return [int(value) for value in _steps(*spans)]


VALUES: Final[Mapping[str, Sequence[Any]]] = {
    "buffer_packets": _whole((1, 60, 1), (65, 100, 5)),
    "rate_mbps": _steps((0.1, 4, 0.1), (4.5, 10, 0.5)),
    "delay_ms": _steps((0, 20, 1), (25, 100, 5), (120, 200, 20)),
    "window_packets": _whole((1, 40, 1), (45, 100, 5), (120, 200, 20)),
    "packet_bytes": _whole((100, 1500, 100), (2000, 4000, 1000)),
    "udp_rate_mbps": _steps((0.05, 2, 0.05), (2.5, 10, 2.5)),
    "end_s": _steps((5.5, 15.5, 5), (20.5, 30.5, 5), (45.5, 60.5, 15)),
    "gap_s": _steps((0, 1.5, 0.05)),
}

USUAL: Final[Mapping[str, Any]] = {"window_packets": offers.WINDOW_PACKETS, "udp_rate_mbps": st.UDP_RATE_MBPS}


def controls_of(base: Setting, values: Mapping[str, Sequence[Any]]) -> list[Control]:
    """All controls for as many flows as the base has, in the order in which they are set; with `values` of some."""
    flows = range(1, len(base["flows"]) + 1)
    names = values.get("kinds", offers.offered())
    spoken = [offers.spoken(name) for name in names]
    queues = values.get("queues", QUEUES)
    titles = [DISCIPLINES[name].name for name in queues]
    return [
        *(Control(f"kind_{k}", f"Flow {k}", "", names, partial(_with_kind, k), spoken) for k in flows),
        Control("profile", "Profile", "", PROFILES, st.with_profile, PROFILES),
        Control("queue", "Queue", "", queues, st.with_queue, titles),
        *(slider(name, values.get(name)) for name in VALUES if name != "gap_s" or len(flows) > 1),
    ]


def slider(name: str, values: Sequence[Any] | None = None) -> Control:
    """A control that the explorer has as a slider."""
    known, usual = SLIDERS[name], USUAL.get(name)
    return Control(name, known.label, known.unit, values or VALUES[name], known.write, usual=usual)


def setting_at(base: Setting, controls: Sequence[Control], at: Positions) -> Setting:
    """The base with each control at its position."""
    setting = base
    for control in controls:
        setting = control.write(setting, control.values[at[control.name]])
    return {**setting, "name": "my-own"}


def _with_kind(number: int, setting: Setting, kind: str) -> Setting:
    now = st.kinds(setting)
    return st.with_kinds(setting, [*now[: number - 1], kind, *now[number:]])
