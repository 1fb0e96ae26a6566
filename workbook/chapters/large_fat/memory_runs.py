"""Slide 4, simulated: what a burst and a slow start leave waiting, and what the probe of 45000 datagrams finds."""

import numpy as np
import xarray as xr

from simcore import metrics
from workbook.chapters.large_fat import memory, wire
from workbook.chapters.large_fat.lab import Lab, path
from workbook.chapters.statistics import Statistics

CASES = ("burst", "slow-start", "probe")
SINKS = ("immediate", "delayed")


def measure(lab: Lab) -> dict[str, object]:
    """The numbers of slide 4: for each line and round-trip time, and of the probe."""
    places = {
        f"oc{oc}": {f"rtt{rtt:g}ms": _at(lab, oc, rtt / 1e3) for rtt in lab.settings.memory_rtts_ms}
        for oc in lab.settings.lines
    }
    flat = [cell for line in places.values() for cell in line.values()]
    worst = {
        "burst_packets": max(abs(cell["burst"] - cell["formula"]) for cell in flat),
        "slow_start_packets": max(abs(cell["immediate"] - cell["slow_start_formula"]) for cell in flat),
        "over_slow_start": max(cell["formula"] / cell["immediate"] for cell in flat),
        "over_delayed": max(cell["formula"] / cell["delayed"] for cell in flat),
        "cases": len(flat),
    }
    return {"lines": places, "worst": worst, "probe": probe(lab)}


def _at(lab: Lab, oc: int, rtt_s: float) -> dict[str, float]:
    slow, fast, size = wire.line_mbps(oc), lab.settings.fast_mbps, lab.settings.packet_bytes
    window = memory.window_packets(slow, rtt_s, size)
    needed = memory.needed_bytes(fast, slow, rtt_s)
    return {
        "window": window,
        "needed_mbytes": needed / 1e6,
        "formula": needed / size,
        "burst": burst_peak(lab, slow, window),
        "slow_start_formula": memory.slow_start_peak(window, fast, slow),
        **{sink: slow_start_peak(lab, slow, rtt_s, window, sink) for sink in SINKS},
    }


def burst_of(lab: Lab, slow_mbps: float, packets: int) -> dict[str, object]:
    """The changes that make the case `burst` one of so many packets, back to back at full speed."""
    interval_s = lab.settings.packet_bytes * 8 / (lab.settings.fast_mbps * 1e6)
    stop_s = (packets - 0.5) * interval_s
    return {"bottleneck.rate_mbps": slow_mbps, "flows.0.stop_s": stop_s, "end_s": stop_s + interval_s}


def burst_peak(lab: Lab, slow_mbps: float, packets: int) -> int:
    """The most packets that wait when so many come back to back."""
    return waiting_peak(lab.run("burst", burst_of(lab, slow_mbps, packets)))


def slow_start(rtt_s: float, slow_mbps: float, window: int, sink: str) -> dict[str, object]:
    """The changes that make the case `slow-start` one to such a window: it has it long before the run ends."""
    growth = 2 if sink == "immediate" else 1.5
    round_trips = np.log(window) / np.log(growth) + 4  # more than enough
    fitted = {"end_s": float(round_trips * rtt_s), "flows.0.window_packets": window, "flows.0.sink": sink}
    return path(rtt_s, slow_mbps) | fitted


def slow_start_peak(lab: Lab, slow_mbps: float, rtt_s: float, window: int, sink: str) -> int:
    """The most packets that wait while slow start fills the window."""
    return waiting_peak(lab.run("slow-start", slow_start(rtt_s, slow_mbps, window, sink)))


def waiting_peak(ds: xr.Dataset) -> int:
    """The most packets that waited at the bottleneck."""
    return int(metrics.queue_packets(ds).max())


def probe(lab: Lab) -> Statistics:
    """What the probe counts, and the memory that follows, by what came before the first loss and by all that came."""
    ds = lab.run("probe")
    lost = int(np.flatnonzero(ds["packet_dropped"].values)[0])
    sent, received = int(ds["sent"][0]), int(ds["received"][0])
    size, slow = metrics.packet_bytes(ds, 1), metrics.rate_mbps(ds)
    fast, held = lab.settings.fast_mbps, float(lab.settings.memory_bytes)
    return {
        "sent": sent,
        "payload_bytes": size - wire.IP_UDP_BYTES - wire.ETHERNET_BYTES,
        "received": received,
        "first_lost": lost,
        "first_lost_formula": memory.first_lost(held, size, fast, slow),
        "received_formula": memory.received(sent, held, size, fast, slow),
        "memory_by_first_lost_bytes": memory.memory_by_first_lost(lost, size, fast, slow),
        "memory_by_count_bytes": memory.memory_by_count(sent, received, size, fast, slow),
    }
