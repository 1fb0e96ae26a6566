"""Every control by its name: how to read it, how to set it, and when. Links name them so, too."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from workbook.explore import setting as st
from workbook.explore.further import CHOICES, FURTHER_SLIDERS, ORDER, SWITCHES, Choice, Switch
from workbook.explore.setting import SLIDERS, Setting, Slider

ALL_SLIDERS: Final = SLIDERS | FURTHER_SLIDERS
KIND: Final = "kind_"  # and the number of the flow, from 1
_NAMED: Final[Mapping[str, Slider | Switch | Choice]] = {**ALL_SLIDERS, **SWITCHES, **CHOICES}
# A limit in bytes counts packets, so their size comes first; the length of a run may shorten what starts apart; further
# links are as the bottleneck, so they come last. All others are set at 1.
_TURNS: Final = {"packet_bytes": 0, "gap_s": 2, "senders": 2, "receivers": 2, "links": 4} | dict.fromkeys(
    ("host_rate_mbps", "access_rate_mbps", "access_delay_ms", "access_step_ms", "exit_rate_mbps", "exit_delay_ms"), 3
)


def names(flows: int) -> list[str]:
    """All controls of a setting with so many flows; those of the second level last."""
    return [*(f"{KIND}{k}" for k in range(1, flows + 1)), "profile", "queue", *SLIDERS, *ORDER]


def turn(name: str) -> int:
    """When a control is set, if several are; those of one turn in any order."""
    return _TURNS.get(name, 1)


def read_of(name: str, setting: Setting) -> Any:
    """What a control would show of a setting; None if there is nothing to show."""
    if name.startswith(KIND):
        return st.kinds(setting)[int(name.removeprefix(KIND)) - 1]
    if name in ("profile", "queue"):
        return setting["profile"] if name == "profile" else st.queue_of(setting)
    return _NAMED[name].read(setting)


def write_of(name: str) -> Callable[[Setting, Any], Setting]:
    """How a control changes a setting."""
    if name.startswith(KIND):
        return partial(_with_kind, int(name.removeprefix(KIND)))
    if name in ("profile", "queue"):
        return st.with_profile if name == "profile" else st.with_queue
    return _NAMED[name].write


def _with_kind(number: int, setting: Setting, kind: str) -> Setting:
    now = st.kinds(setting)
    return st.with_kinds(setting, [*now[: number - 1], kind, *now[number:]])
