"""What the slides' numbers can be by framing alone: no run is needed to see which of them can't be exact."""

from workbook.chapters.large_fat import forbidden, wire
from workbook.chapters.large_fat.lab import Lab


def measure(lab: Lab) -> dict[str, object]:
    """The rates that Gigabit Ethernet and an OC-12 leave for data, and the slides' gaps as rates."""
    gigabit, oc12 = lab.settings.fast_mbps, wire.PAYLOAD_MBPS["OC-12c"]
    memory = float(lab.settings.memory_bytes)
    return {
        "gigabit": _rates(gigabit) | {"jumbo_tcp_mbps": wire.tcp_mbps(gigabit, mtu=9000)},
        "oc12": _rates(oc12) | {"payload_mbps": oc12, "line_mbps": wire.line_mbps(12)},
        "oc24_payload_mbps": wire.PAYLOAD_MBPS["OC-24c"],
        "gigabit_ip_us": 8 * 1500 / gigabit,
        "gigabit_frame_us": wire.frame_us(1500, gigabit),
        "oc12_ip_us": 8 * 1500 / oc12,
        "safe_mbps": forbidden.safe_mbps(gigabit, oc12, memory, 0.105),
    }


def _rates(rate_mbps: float) -> dict[str, float]:
    return {
        "tcp_mbps": wire.tcp_mbps(rate_mbps),
        "tcp_timestamps_mbps": wire.tcp_mbps(rate_mbps, options_bytes=wire.TIMESTAMPS_BYTES),
        "udp_1000_mbps": wire.udp_mbps(rate_mbps, 1000),
        "udp_1472_mbps": wire.udp_mbps(rate_mbps, 1472),
    }
