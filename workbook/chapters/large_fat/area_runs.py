"""Slide 6, simulated: where a burst, and where a slow start, overflows 0.5 MB."""

from collections.abc import Callable

from workbook.chapters.large_fat import forbidden, memory, wire
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.large_fat.memory_runs import SINKS, burst_of, slow_start

CASES = ("burst-into-memory", "slow-start-into-memory")
STEPS = 14  # of a bisection: to 1 / 16000 of where it began
LONGEST_RTT_S = 0.6  # up to which an entry is looked for


def measure(lab: Lab) -> dict[str, object]:
    """The edges of the area at some round-trip times, and where each line enters it."""
    edges = {f"rtt{rtt:g}ms": edges_at(lab, rtt / 1e3) for rtt in lab.settings.area_rtts_ms}
    entries = {f"oc{oc}": entries_of(lab, wire.line_mbps(oc)) for oc in lab.settings.lines}
    marked_s = lab.settings.marked_rtt_ms / 1e3
    fast, held = lab.settings.fast_mbps, float(lab.settings.memory_bytes)
    return {
        "fast_mbps": fast,
        "memory_bytes": lab.settings.memory_bytes,
        "edges": edges,
        "entries": entries,
        "lowest_rtt_ms": 1e3 * forbidden.lowest_rtt_s(fast, held),
        "marked": {
            "rtt_ms": lab.settings.marked_rtt_ms,
            "lines_inside": sum(entry["formula_ms"] < 1e3 * marked_s for entry in entries.values()),
            "lines_inside_slow_start": sum(entry["immediate_ms"] < 1e3 * marked_s for entry in entries.values()),
            "lines_inside_delayed": sum(entry["delayed_ms"] < 1e3 * marked_s for entry in entries.values()),
        },
        "residual_percent": {
            "edges": max(abs(edge["burst_low"] / edge["low"] - 1) for edge in edges.values()) * 100,
            "entries": max(abs(entry["burst_ms"] / entry["formula_ms"] - 1) for entry in entries.values()) * 100,
        },
    }


def edges_at(lab: Lab, rtt_s: float) -> dict[str, float]:
    """The rates between which a burst of a whole window overflows the memory, by formula and by bisection."""
    fast, held = lab.settings.fast_mbps, float(lab.settings.memory_bytes)
    edges = forbidden.edges_mbps(fast, held, rtt_s)
    if edges is None:
        raise ValueError(f"area_rtts_ms: {1e3 * rtt_s:g} is not allowed; nothing is forbidden there")

    def overflows(slow_mbps: float) -> bool:
        return burst_overflows(lab, slow_mbps, rtt_s)

    low, high = bisected(overflows, 1.0, fast / 2), bisected(overflows, fast - 1, fast / 2)
    return {"low": edges.low, "high": edges.high, "burst_low": low, "burst_high": high}


def entries_of(lab: Lab, slow_mbps: float) -> dict[str, float]:
    """The round-trip time in ms from which on a line overflows the memory: by formula, by burst, by slow start."""
    entries = {"formula": forbidden.entry_rtt_s(lab.settings.fast_mbps, slow_mbps, float(lab.settings.memory_bytes))}
    entries["burst"] = bisected(lambda rtt_s: burst_overflows(lab, slow_mbps, rtt_s), 0.001, 0.2)
    for sink in SINKS:
        entries[sink] = bisected(lambda rtt_s, s=sink: tcp_overflows(lab, slow_mbps, rtt_s, s), 0.01, LONGEST_RTT_S)  # type: ignore[misc]
    return {f"{name}_ms": 1e3 * rtt_s for name, rtt_s in entries.items()}


def burst_overflows(lab: Lab, slow_mbps: float, rtt_s: float) -> bool:
    """Does a whole window, sent back to back, lose a packet?"""
    packets = memory.window_packets(slow_mbps, rtt_s, lab.settings.packet_bytes)
    return packets > 1 and lab.counted("burst-into-memory", burst_of(lab, slow_mbps, packets)).total("dropped") > 0


def tcp_overflows(lab: Lab, slow_mbps: float, rtt_s: float, sink: str) -> bool:
    """Does a slow start to a whole window lose a packet?"""
    window = memory.window_packets(slow_mbps, rtt_s, lab.settings.packet_bytes)
    changes = slow_start(rtt_s, slow_mbps, window, sink)
    return window > 1 and lab.counted("slow-start-into-memory", changes).total("dropped") > 0


def bisected(is_inside: Callable[[float], bool], outside: float, inside: float) -> float:
    """Where between two values it begins to be inside; `inside` itself if it isn't there either."""
    if not is_inside(inside):
        return inside
    for _ in range(STEPS):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if is_inside(middle) else (middle, inside)
    return inside
