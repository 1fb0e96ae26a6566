"""Why cwnd changed: for each cause that a rule names, what the rule does and where that is written.

What is so with one loss recovery or congestion control only stands in its module; what depends on the profile, below.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from simcore.rules.stack import variant_in
from simcore.rules.why import Why
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import Profile

GENERAL: Final[Mapping[str, Why]] = {
    "none": Why("No change", "Nothing happened to the window.", "-"),
    "start": Why(
        "The application starts",
        "The sender may send: first a SYN, which is segment 0 here.",
        "RFC 9293, section 3.5; ns-2: FTP start",
    ),
    "initial_window": Why(
        "The connection is open",
        "The SYN is acknowledged: cwnd becomes the initial window.",
        "RFC 5681, section 3.1, equation (1); RFC 6928, section 2, for ten packets; ns-2: windowInit_",
    ),
    "slow_start": Why(
        "Slow start",
        "cwnd is below ssthresh: each ACK of new data adds one packet, which doubles cwnd every round trip.",
        "RFC 5681, section 3.1, equation (2)",
    ),
    "congestion_avoidance": Why(
        "Congestion avoidance",
        "cwnd has reached ssthresh: each ACK of new data adds 1/cwnd, about one packet every round trip.",
        "RFC 5681, section 3.1, equation (3); ns-2: opencwnd()",
    ),
    "fast_retransmit": Why(
        "Fast retransmit",
        "The third duplicate ACK: the first unacknowledged segment counts as lost and is sent again. "
        "ssthresh becomes half of the window, at least two packets, and cwnd falls to half of it, too.",
        "RFC 5681, section 3.2, steps 2 and 3",
    ),
    "inflation": Why(
        "Fast recovery: the window is inflated",
        "A further duplicate ACK: another packet has left the network, so another one may be sent. "
        "cwnd itself stays; what may be outstanding grows by one.",
        "RFC 5681, section 3.2, step 4; ns-2: dupwnd_",
    ),
    "recovery_end": Why(
        "Fast recovery ends",
        "An ACK of new data: the inflation is taken back, and cwnd goes on from where the cut left it.",
        "RFC 5681, section 3.2, step 6",
    ),
    "timeout": Why(
        "Timeout",
        "No ACK came in time: everything outstanding counts as lost. ssthresh becomes half of the window, cwnd one "
        "packet; the sender begins again behind the last acknowledged segment, and doubles the timeout.",
        "RFC 5681, section 3.1, equation (4); RFC 6298, sections 5.4 to 5.6",
    ),
    "idle_timeout": Why(
        "The timer rang with nothing outstanding",
        "The timer was still set although all was acknowledged: cwnd becomes one packet.",
        "ns-2: TcpAgent::timeout()",
    ),
    "deflation": Why(
        "Partial ACK",
        "The repair arrived, but another segment of the same window is missing: it is sent again at once, and the "
        "window shrinks by what was acknowledged. Fast recovery goes on.",
        "RFC 6582, section 3.2, step 3",
    ),
    "queueing_delay": Why(
        "Round trips take longer",
        "Too many of the sender's packets wait in queues, so it sends fewer before anything is lost.",
        "Brakmo and Peterson 1995, section on congestion avoidance",
    ),
    "local_congestion": Why(
        "The own interface refused a packet",
        "The queue of the sender's own host is full. Nothing is lost, but Linux takes it for congestion: ssthresh is "
        "cut as for a loss, and cwnd is to shrink step by step.",
        "Linux 2.4: state CWR; Heffner 2002 (Net100); Web100 counts it as SendStall",
    ),
    "local_reduction": Why(
        "Shrinking after a refusal",
        "The own interface had refused a packet: every second ACK takes one packet from cwnd, until it is at ssthresh "
        "and what was outstanding is acknowledged.",
        "Linux 2.4: state CWR",
    ),
    "congestion_echo": Why(
        "A mark came back",
        "A router marked a packet instead of dropping it, and the receiver echoed the mark: the window is cut as for a "
        "loss, once for a window of data, and nothing has to be sent again.",
        "RFC 3168, section 6.1.2",
    ),
}


def why(cause: str, flow: TcpFlow, profile: Profile) -> Why:
    """Why a sender changed its window, told for its variant and profile."""
    variant = variant_in(profile.stack, flow.rules())
    recovery, control = variant.recovery, variant.control
    told = (rules.explanations.get(cause) for rules in (variant.slow_start, control, recovery))
    found = next((each for each in told if each), None) or GENERAL.get(cause) or _unsaid(cause)
    return found._replace(rule=" ".join([found.rule, *_facts(cause, recovery.name, profile)]))


def _unsaid(cause: str) -> Why:
    """A cause of another control's, or one that its module does not explain."""
    return Why(cause.replace("_", " ").capitalize(), "No rule of this sender says more about it.", "-")


def _facts(cause: str, recovery: str, profile: Profile) -> Iterator[str]:
    """What the profile says about it."""
    if cause == "initial_window":
        yield f"In {profile.name} it has {profile.initial_window_packets} packets."
    if cause == "timeout":
        yield f"In {profile.name} the timeout is at least {profile.min_rto_s:g} s."
    if cause != "fast_retransmit" or recovery == "vegas":  # which cuts by rules of its own
        return
    if profile.flight_size_cut:
        yield f"In {profile.name} the window is what is outstanding (RFC 5681, equation 4)."
    elif profile.whole_packet_cut:
        yield f"In {profile.name} the window and its half are whole numbers (ns-2.27: slowdown())."
    if recovery == "reno" and not profile.recovery_exit_marked:
        yield (
            f"{profile.name} compared where it meant to assign, so that the end of a recovery was not noted: "
            "a window may be cut again for a loss that it was already cut for."
        )
