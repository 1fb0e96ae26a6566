"""Living figures of chapters whose own runs are too large for a page: each says what it leaves out."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simcore import scenario_from
from simcore.scenario.change import changed
from workbook.chapters.background_traffic import settings as background
from workbook.chapters.chapter import Chapter
from workbook.chapters.competing_tahoe import settings as rounds
from workbook.chapters.large_fat import settings as large
from workbook.chapters.many_flows import settings as crowds
from workbook.explore.setting import SLIDERS, Setting
from workbook.ledger.book import load_book
from workbook.paths import REPO
from workbook.site.controls import VALUES, Control, slider
from workbook.site.grid import Family
from workbook.site.living import Living
from workbook.site.marks import Mark
from workbook.site.page import Start

COUNTS: Final = (2, 5, 10, 20)  # of many flows
SCALE: Final = 10  # of the link of many flows: windows then fit into a page's world


def packets() -> Living:
    """Chapter 04's two Tahoe senders, packet by packet: where has a link with a real queue the report's numbers?"""
    chapter = _chapter("competing-tahoe")
    settings = rounds.settings_of(chapter)
    base = settings.packets.scenario().to_mapping()
    names = ("buffer_packets", "delay_ms", "gap_s")
    begin = {name: SLIDERS[name].read(base) or 0.0 for name in names}
    controls = [slider(name, sorted({*VALUES[name], begin[name]})) for name in names]
    near, said = settings.near_percent, settings.printed["competing"]
    source = _source("competing-tahoe")
    marks = [
        Mark(source, k, "Part of the link", each, "%", (each - near, each + near)) for k, each in enumerate(said, 1)
    ]
    note = (
        "The packet model of the last section, not the rounds: this engine has none. The marks are the report's "
        f"utilisations, and as in the chapter {near:g} points more or less are near. Over the equivalent path, with "
        "the report's buffer of seven, the link is used far better: over which path, with which buffer, is it used so "
        "little?"
    )
    return _figure("Two Tahoe senders, packet by packet", [base], controls, begin, marks, note)


def phase() -> Living:
    """Reno and Tahoe in the network of chapter 05, for six seconds: who wins hangs on 20 microseconds."""
    chapter, end_s = _chapter("background-traffic"), 6.0
    short = {"end_s": end_s, "flows.0.start_s": 0.0, "flows.1.start_s": 0.5, "flows.*.stop_s": end_s}
    base = changed(chapter.scenario("no-background").to_mapping(), short)
    delays = [round(1 + 0.02 * k, 2) for k in range(121)]  # the chapter's line, and its step
    access = Control("tahoe_delay_ms", "Tahoe's access", "ms", delays, _with_tahoe)
    printed = background.settings_of(chapter).printed
    reno, other = printed["flow1"], printed["flow2"]
    least, most = _share(reno.low, other.high), _share(reno.high, other.low)
    said = round(_share(reno.mean, other.mean), 1)
    mark = Mark(_source("background-traffic"), 1, "Share of the bytes", said, "%", (least, most))
    note = (
        "Reno and Tahoe in the paper's network, without CBR and VBR: six seconds of its 85, and Tahoe starts half a "
        "second after Reno. The mark is Reno's share of what both have in the paper; "
        f"{least:.1f} to {most:.1f} % is what its intervals allow."
    )
    begin = {"tahoe_delay_ms": 2.2, "buffer_packets": 10}
    return _figure("Who wins is a phase effect", [base], [access, slider("buffer_packets")], begin, [mark], note)


def many() -> Living:
    """Two to twenty flows over a tenth of chapter 06's link: which buffer keeps it full?"""
    chapter = _chapter("many-flows")
    settings = crowds.settings_of(chapter)
    full = settings.full_percent
    mark = Mark("Appenzeller et al. 2004", 0, "Link in use after 10 s", full, "%", (full - 0.5, full + 0.5))
    pipe = settings.pipe_packets / SCALE
    note = (
        f"A tenth of the chapter's link, for 20 s: the pipe holds {pipe:g} packets. Choose the number of flows, and "
        f"find the buffer with which the link is just full. The rule says {pipe:g} packets divided by the root of the "
        "number of flows."
    )
    bases = [_crowd(chapter.scenario("quarter").to_mapping(), count) for count in COUNTS]
    return _figure(
        "The buffer that many flows need", bases, [slider("buffer_packets")], {"buffer_packets": 5}, [mark], note
    )


def probe() -> Living:
    """The first twentieth of a second of chapter 07's probe, at its full rates: how large is the memory?"""
    chapter = _chapter("large-fat")
    base = changed(chapter.scenario("probe").to_mapping(), {"flows.0.stop_s": 0.05, "end_s": 0.15})
    rates = [50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, base["bottleneck"]["rate_mbps"], 650, 700, 750, 800]
    controls = [slider("buffer_packets", [*range(50, 1001, 10)]), slider("rate_mbps", rates)]
    said = large.settings_of(chapter).memory_bytes / 1e6
    mark = Mark(_source("large-fat"), 1, "Memory", said, "MB", (said - 0.05, said + 0.05))
    note = (
        "Datagrams of 1 kByte at 1 Gb/s into a slow link, as on slide 4: the first twentieth of a second of them. The "
        "first that is lost tells how large the memory is, whatever the slow link's rate. One that loses nothing is "
        "larger than the burst shows."
    )
    begin = {"buffer_packets": 200, "rate_mbps": base["bottleneck"]["rate_mbps"]}
    return _figure("How large is the memory?", [base], controls, begin, [mark], note)


def _chapter(name: str) -> Chapter:
    return Chapter.load(REPO.params / f"{name}.yaml")


def _source(name: str) -> str:
    return load_book(REPO.claims / f"{name}.yaml").source.title


def _with_tahoe(setting: Setting, delay_ms: float) -> Setting:
    return changed(setting, {"flows.1.access.delay_ms": delay_ms})


def _share(one: float, other: float) -> float:
    return 100 * one / (one + other)


def _crowd(base: Setting, count: int) -> Setting:
    """So many flows over a tenth of the link; round trips of 90 to 110 ms and starts a third of a second apart."""
    scaled = changed(base, {"end_s": 20.0, "bottleneck.rate_mbps": base["bottleneck"]["rate_mbps"] / SCALE})
    flows = [_flow(base["flows"][0], k, count) for k in range(count)]
    return {**scaled, "flows": flows}


def _flow(like: Mapping[str, Any], k: int, count: int) -> Mapping[str, Any]:
    path = {**like["access"], "delay_ms": round(15 + 10 * k / (count - 1), 2)}
    return {**like, "window_packets": 200, "start_s": round(0.37 * k, 2), "stop_s": 20.0, "access": path}


def _figure(
    title: str,
    bases: Sequence[Setting],
    controls: Sequence[Control],
    begin: Mapping[str, float],
    marks: Sequence[Mark],
    note: str,
) -> Living:
    """A family for each base; the sliders begin where the marks are not: the reader is to find them."""
    at = {control.name: list(control.values).index(begin[control.name]) for control in controls}
    families = [Family(scenario_from(base).to_mapping(), controls, at) for base in bases]
    return Living(Start(title, 0, at), families, marks, note)
