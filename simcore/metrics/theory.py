"""Closed forms to lay beside what was measured: each with its source, what it assumes, and where it holds.

Loss rates are the part of the packets that are lost or marked, 0 < p <= 1; times are in s, windows in packets. Outside
its range a law is no bound: it is simply not about that case.
"""

from math import inf, sqrt
from typing import Final

CUBIC_C: Final = 0.4  # packets / s^3; RFC 9438, section 5
CUBIC_BETA: Final = 0.7  # of a window after a loss; RFC 9438, section 4.6


def mathis_packets_a_s(loss: float, rtt_s: float, packets_per_ack: int = 1) -> float:
    """What a TCP sender in congestion avoidance gets: C / (RTT sqrt(p)).

    Assumes periodic losses, one in 1/p packets, each repaired by fast recovery; a round trip that doesn't depend on the
    window; no limit but the losses. Holds for p below about 0.01: above, timeouts decide.

    References
    ----------
    M. Mathis, J. Semke, J. Mahdavi, T. Ott, "The macroscopic behavior of the TCP congestion avoidance algorithm", ACM
    Computer Communication Review 27 (3), 1997: C = sqrt(3 / (2 b)), b packets for each ACK.
    """
    return sqrt(1.5 / packets_per_ack / loss) / rtt_s


def pftk_packets_a_s(
    loss: float, rtt_s: float, rto_s: float, packets_per_ack: int = 1, window_packets: float = inf
) -> float:
    """What a Reno sender gets, timeouts and the receiver's window included: the approximate PFTK model.

    Assumes that a loss takes the rest of its round with it, rounds are independent, and the round trip doesn't depend
    on the window. Holds for Reno up to p of about 0.1; with drop-tail and few flows losses come in other bursts.

    References
    ----------
    J. Padhye, V. Firoiu, D. Towsley, J. Kurose, "Modeling TCP throughput: a simple model and its empirical validation",
    SIGCOMM 1998; RFC 5348, section 3.1.
    """
    recovery_s = rtt_s * sqrt(2 * packets_per_ack * loss / 3)
    timeout_s = rto_s * min(1.0, 3 * sqrt(3 * packets_per_ack * loss / 8)) * loss * (1 + 32 * loss**2)
    return min(window_packets / rtt_s, 1 / (recovery_s + timeout_s))


def reno_window(loss: float) -> float:
    """The mean window of standard TCP: 1.2 / sqrt(p), in packets. Holds where `mathis_packets_a_s` does.

    References
    ----------
    RFC 3649, section 3: 1.2, where Mathis et al. have sqrt(3/2) = 1.22.
    """
    return 1.2 / sqrt(loss)


def highspeed_window(loss: float) -> float:
    """The mean window of HighSpeed TCP: 0.12 / p^0.835, in packets; standard TCP's from p = 0.001 on.

    Assumes losses that don't depend on the window. Holds for 1e-7 <= p: beyond it the window is above 83,000 packets.

    References
    ----------
    RFC 3649, section 5.
    """
    return float(0.12 / loss**0.835) if loss < 1e-3 else reno_window(loss)


def cubic_window(loss: float, rtt_s: float) -> float:
    """The mean window of CUBIC, in packets: that of its cubic growth, or standard TCP's if that is larger.

    (C (3 + beta) / (4 (1 - beta)))^(1/4) (RTT / p)^(3/4). Assumes periodic losses and a constant round trip. Holds like
    `mathis_packets_a_s`; in short networks and with many losses CUBIC is in its Reno-friendly region.

    References
    ----------
    RFC 9438, section 5.1; C = 0.4, beta = 0.7.
    """
    factor = (CUBIC_C * (3 + CUBIC_BETA) / (4 * (1 - CUBIC_BETA))) ** 0.25
    return max(float(factor * (rtt_s / loss) ** 0.75), reno_window(loss))


def md1_packets(load: float) -> float:
    """The mean number of packets in an M/D/1 system, the one being sent included; infinite from a load of 1 on.

    Assumes Poisson arrivals, packets of one size and an endless buffer: many independent sources without feedback. TCP
    has feedback and comes in bursts. Holds for load < 1.

    References
    ----------
    Pollaczek and Khinchine; L. Kleinrock, "Queueing Systems", volume 1, 1975, section 5.6.
    """
    return load + load**2 / (2 * (1 - load)) if load < 1 else inf


def mm1k_packets(load: float, places: int) -> float:
    """The mean number of packets in an M/M/1/K system of so many places, that of the packet being sent included.

    Assumes Poisson arrivals and exponential sizes. Holds for any load: what doesn't fit is lost.

    References
    ----------
    L. Kleinrock, "Queueing Systems", volume 1, 1975, section 3.6.
    """
    shares = [load**packets for packets in range(places + 1)]
    return sum(packets * share for packets, share in enumerate(shares)) / sum(shares)


def mm1k_loss(load: float, places: int) -> float:
    """The part of the packets that an M/M/1/K system of so many places refuses; assumptions as in `mm1k_packets`."""
    return float(load**places / sum(load**packets for packets in range(places + 1)))


def buffer_packets(pipe_packets: float, flows: float) -> float:
    """The buffer that keeps a link busy under so many long flows: rate x round trip / sqrt(n), in packets.

    Assumes that the flows' windows are independent of each other, long flows in congestion avoidance, drop-tail. Holds
    for hundreds of flows; few flows are synchronised and need all of the pipe (n = 1).

    References
    ----------
    G. Appenzeller, I. Keslassy, N. McKeown, "Sizing router buffers", SIGCOMM 2004; for one flow C. Villamizar, C. Song,
    "High performance TCP in ANSNET", ACM Computer Communication Review 24 (5), 1994.
    """
    return pipe_packets / sqrt(flows)
