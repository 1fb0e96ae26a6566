"""A constant bit rate source over UDP: packets of one size at one interval."""


def interval_s(packet_bytes: int, rate_bps: float) -> float:
    """Seconds between two packets. UDP packets carry no header bytes in ns-2.

    The source adds this number again and again: its rounding decides whether one last packet leaves before the stop.
    """
    return (packet_bytes * 8) / rate_bps
