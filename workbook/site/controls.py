"""What a page may set: controls with positions, and the setting that all positions together are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simcore.rules.queues.registry import DISCIPLINES
from workbook.explore import kinds as offers
from workbook.explore import setting as st
from workbook.explore.controls import ALL_SLIDERS, KIND, turn, write_of
from workbook.explore.further import CHOICES, FURTHER_SLIDERS, HOST, MOST_LINKS, ORDER, OWN_LINK, SWITCHES
from workbook.explore.setting import OWN_NAME, SLIDERS, Setting

UDP: Final = tuple(offers.RATED)  # the kinds of flows that are no TCP
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
    is_further: bool = False  # is it on the second level?
    needs: Sequence[str] = ()  # fields of a scenario: without any of them it moves nothing, and is hidden


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
    "links": _whole((1, MOST_LINKS, 1)),
    "jitter_ms": _steps((0, 5, 0.5), (6, 10, 1), (15, 20, 5)),
    "loss_percent": _steps((0, 2, 0.1), (2.5, 5, 0.5), (6, 10, 1)),
    "host_rate_mbps": _steps((0.5, 2, 0.5), (3, 10, 1), (20, 100, 20)),
    "access_rate_mbps": _steps((0.5, 2, 0.5), (3, 10, 1), (20, 100, 20)),
    "access_delay_ms": sorted([0.1, *_steps((0, 10, 1), (15, 50, 5), (60, 100, 10))]),
    "access_step_ms": _steps((0, 0.5, 0.1), (1, 10, 1), (15, 50, 5), (60, 100, 10)),
    "exit_rate_mbps": _steps((0.5, 2, 0.5), (3, 10, 1), (20, 100, 20)),
    "exit_delay_ms": sorted([0.1, *_steps((0, 10, 1), (15, 50, 5), (60, 100, 10))]),
}

USUAL: Final[Mapping[str, Any]] = {
    "window_packets": offers.WINDOW_PACKETS,
    "udp_rate_mbps": st.UDP_RATE_MBPS,
    "jitter_ms": 0.0,
    "host_rate_mbps": HOST["rate_mbps"],
    "access_rate_mbps": OWN_LINK["rate_mbps"],
    "access_delay_ms": OWN_LINK["delay_ms"],
    "access_step_ms": 0.0,
    "exit_rate_mbps": OWN_LINK["rate_mbps"],
    "exit_delay_ms": OWN_LINK["delay_ms"],
}
A_TCP_FLOW: Final = "flows.*.window_packets"
NEEDS: Final[Mapping[str, Sequence[str]]] = {
    "window_packets": (A_TCP_FLOW,),
    "udp_rate_mbps": ("flows.*.rate_mbps",),
    "jitter_ms": (A_TCP_FLOW,),
    "ecn": (A_TCP_FLOW,),
    "host_rate_mbps": ("hosts.0.rate_mbps",),
    "access_rate_mbps": ("flows.0.access.rate_mbps",),
    "access_delay_ms": ("flows.0.access.rate_mbps",),
    "access_step_ms": ("flows.1.access.rate_mbps",),
    "exit_rate_mbps": ("flows.0.exit.rate_mbps",),
    "exit_delay_ms": ("flows.0.exit.rate_mbps",),
}


def controls_of(base: Setting, values: Mapping[str, Sequence[Any]]) -> list[Control]:
    """All controls for as many flows as the base has; with `values` of some."""
    flows = range(1, len(base["flows"]) + 1)
    names = values.get("kinds", offers.offered())
    spoken = [offers.spoken(name) for name in names]
    queues = values.get("queues", st.QUEUE_NAMES)
    titles = [DISCIPLINES[name].name for name in queues]
    usual = [name for name in VALUES if name in SLIDERS and (name != "gap_s" or len(flows) > 1)]
    return [
        *(Control(f"{KIND}{k}", f"Flow {k}", "", names, write_of(f"{KIND}{k}"), spoken) for k in flows),
        Control("profile", "Profile", "", st.PROFILE_NAMES, write_of("profile"), st.PROFILE_NAMES),
        Control("queue", "Queue", "", queues, write_of("queue"), titles),
        *(slider(name, values.get(name)) for name in usual),
        *(_further(name, values.get(name)) for name in ORDER),
    ]


def slider(name: str, values: Sequence[Any] | None = None) -> Control:
    """A control that the explorer has as a slider."""
    known, usual, needs = ALL_SLIDERS[name], USUAL.get(name), NEEDS.get(name, ())
    is_further = name in FURTHER_SLIDERS
    return Control(
        name,
        known.label,
        known.unit,
        values or VALUES[name],
        known.write,
        usual=usual,
        is_further=is_further,
        needs=needs,
    )


def _further(name: str, values: Sequence[Any] | None) -> Control:
    """A control of the second level."""
    if name in FURTHER_SLIDERS:
        return slider(name, values)
    if name in SWITCHES:
        switch = SWITCHES[name]
        return Control(name, switch.label, "", (False, True), switch.write, is_further=True, needs=NEEDS[name])
    choice = CHOICES[name]
    return Control(name, choice.label, "", [*choice.texts], choice.write, [*choice.texts.values()], is_further=True)


class Written:
    """The base with each control at its position.

    Of two settings, one asked for after the other, what the first controls wrote of both is written once.
    """

    def __init__(self, base: Setting, controls: Iterable[Control]) -> None:
        self._controls = sorted(controls, key=lambda control: turn(control.name))
        self._base = base
        self._last: list[tuple[int, Setting]] = []  # of each control the position, and what it made

    def at(self, positions: Positions) -> Setting:
        """The setting of these positions."""
        wanted = [positions[control.name] for control in self._controls]
        same = next((k for k, (position, _) in enumerate(self._last) if position != wanted[k]), len(self._last))
        del self._last[same:]
        setting = self._last[-1][1] if self._last else self._base
        for control, position in zip(self._controls[same:], wanted[same:], strict=True):
            setting = control.write(setting, control.values[position])
            self._last.append((position, setting))
        return {**setting, "name": OWN_NAME}
