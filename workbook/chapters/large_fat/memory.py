"""How much memory a switch needs where a fast link (rate f) meets a slow one (rate s): slide 4.

The slide's formula takes a whole window of s * RTT that arrives at the rate f. So does a burst of UDP; TCP in slow
start is paced by its ACKs, and each ACK, coming at the rate s, releases two packets.
"""


def needed_bytes(fast_mbps: float, slow_mbps: float, rtt_s: float) -> float:
    """Memory at the bottleneck = (fast - slow) / fast * slow * RTT, in bytes."""
    return (fast_mbps - slow_mbps) / fast_mbps * slow_mbps * 1e6 * rtt_s / 8


def window_packets(slow_mbps: float, rtt_s: float, packet_bytes: int) -> int:
    """Whole packets that fit into a path: the window that fills the slow link."""
    return int(slow_mbps * 1e6 * rtt_s / (8 * packet_bytes))


def burst_peak(packets: int, fast_mbps: float, slow_mbps: float) -> int:
    """The most packets that wait when so many arrive back to back; the one being sent is not among them."""
    return packets - 1 - int((packets - 1) * slow_mbps / fast_mbps)


def slow_start_peak(window: int, fast_mbps: float, slow_mbps: float) -> float:
    """The same for a window that slow start fills from 2 packets on, every packet being acknowledged.

    Each doubling, and the last, partial one, is a burst at the rate min(2 s, f), as large as the window then.
    """
    share = 1 - slow_mbps / min(2 * slow_mbps, fast_mbps)
    cwnd, peak = 2, 0.0
    while 2 * cwnd <= window:
        cwnd *= 2
        peak = cwnd * share
    return max(peak, min(window - cwnd, window * (1 - slow_mbps / fast_mbps)))


def delayed_ack_bound(window: int, fast_mbps: float, slow_mbps: float) -> float:
    """What no slow start with an ACK for every second packet exceeds by much: it sends at min(1.5 s, f)."""
    return window * (1 - slow_mbps / min(1.5 * slow_mbps, fast_mbps))


def first_lost(memory_bytes: float, packet_bytes: int, fast_mbps: float, slow_mbps: float) -> float:
    """Which packet of a long burst is the first to be lost."""
    return memory_bytes / (packet_bytes * (1 - slow_mbps / fast_mbps))


def received(sent: int, memory_bytes: float, packet_bytes: int, fast_mbps: float, slow_mbps: float) -> float:
    """How many packets of a long burst get through: those that left meanwhile, and those that the memory held."""
    return sent * slow_mbps / fast_mbps + memory_bytes // packet_bytes


def memory_by_first_lost(lost: int, packet_bytes: int, fast_mbps: float, slow_mbps: float) -> float:
    """The memory in bytes that a probe measures whose packet number `lost` was the first that didn't arrive."""
    return lost * packet_bytes * (1 - slow_mbps / fast_mbps)


def memory_by_count(sent: int, received_packets: int, packet_bytes: int, fast_mbps: float, slow_mbps: float) -> float:
    """The memory in bytes that a probe measures of which so many packets arrived."""
    return (received_packets - sent * slow_mbps / fast_mbps) * packet_bytes
