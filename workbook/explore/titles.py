"""What a run is called: its setting in a line, so that two runs beside each other can be told apart."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from workbook.explore.further import CHOICES, FURTHER_SLIDERS, ORDER, SWITCHES, Choice, Switch
from workbook.explore.setting import Setting, Slider, buffer_packets, kinds, queue_of

_ALL: Final[Mapping[str, Slider | Switch | Choice]] = {**FURTHER_SLIDERS, **SWITCHES, **CHOICES}
_READ: Final[Mapping[str, Callable[[Setting], Any]]] = {name: _ALL[name].read for name in ORDER}


def described(setting: Setting, reached: Sequence[int] | None = None) -> str:
    """A setting in a line: "2 Mb/s, 10 ms, droptail of 20; 2 x reno; ns-2.27".

    What is done to packets comes first, what few settings have last. With how many packets of each flow `reached` the
    bottleneck in its run, it says of which packets there are none.
    """
    bottleneck, listed = setting["bottleneck"], kinds(setting)
    flows = " + ".join(f"{listed.count(kind)} x {kind}" for kind in dict.fromkeys(listed))
    link = f"{bottleneck['rate_mbps']:g} Mb/s, {bottleneck['delay_ms']:g} ms"
    line = f"{link}, {queue_of(setting)} of {buffer_packets(setting)}; {flows}; {setting['profile']}"
    notes = [text for name, reads in _READ.items() if (text := note(name, reads(setting)))]
    return "; ".join([*_fates(setting, reached), line, *([", ".join(notes)] if notes else [])])


def _fates(setting: Setting, reached: Sequence[int] | None) -> Iterator[str]:
    for number, flow in enumerate(setting["flows"], start=1):
        for word in ("lost", "spared"):
            for packet in flow.get(f"{word}_packets", ()):
                is_there = reached is None or packet <= reached[number - 1]
                yield (
                    f"packet {packet} of flow {number} {word}" if is_there else f"flow {number} has no packet {packet}"
                )


def note(name: str, value: Any) -> str:
    """What a control of the second level adds to a title; nothing where it is as usual."""
    if name in SWITCHES:
        return SWITCHES[name].label.partition(",")[0] if value else ""
    if name in CHOICES:
        choice = CHOICES[name]
        return "" if value == next(iter(choice.texts)) else f"{choice.label.lower()} {choice.texts[value]}"
    slider = FURTHER_SLIDERS[name]
    return "" if value in (None, slider.low) else f"{slider.label.lower()} {value:g} {slider.unit}"
