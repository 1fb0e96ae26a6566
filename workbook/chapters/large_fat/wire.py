"""What a packet costs on the wire, and what a link's rate leaves for data.

Ethernet: IEEE 802.3, per frame 8 bytes of preamble, 14 of header, 4 of checksum and a gap of 12.
SONET: ITU-T G.707; an OC-n line has n times 51.84 Mb/s, and a concatenated OC-3c, OC-12c ... less payload than that.
"""

from typing import Final

ETHERNET_BYTES: Final = 38
FRAME_BYTES: Final = 1500 + ETHERNET_BYTES
IP_TCP_BYTES: Final = 40
TIMESTAMPS_BYTES: Final = 12  # RFC 7323, with padding
IP_UDP_BYTES: Final = 28
OC1_MBPS: Final = 51.84
PAYLOAD_MBPS: Final = {"OC-12c": 599.04, "OC-24c": 1198.08, "OC-48c": 2396.16}


def line_mbps(oc: int) -> float:
    """The line rate of OC-`oc`."""
    return oc * OC1_MBPS


def frame_us(ip_bytes: int, rate_mbps: float) -> float:
    """How long an IP packet occupies an Ethernet of a rate, in microseconds."""
    return 8 * (ip_bytes + ETHERNET_BYTES) / rate_mbps


def tcp_mbps(rate_mbps: float, mtu: int = 1500, options_bytes: int = 0) -> float:
    """The most that TCP can give its application on a link of a rate: full segments in Ethernet frames."""
    return rate_mbps * (mtu - IP_TCP_BYTES - options_bytes) / (mtu + ETHERNET_BYTES)


def udp_mbps(rate_mbps: float, payload_bytes: int) -> float:
    """The same of UDP, for datagrams with so many bytes of payload."""
    return rate_mbps * payload_bytes / (payload_bytes + IP_UDP_BYTES + ETHERNET_BYTES)
