"""What a TCP sender remembers by subject: records within its state; each says where its rules are."""

from dataclasses import dataclass


@dataclass(slots=True)
class Echoes:
    """Of marks: see `simcore.rules.tcp.ecn`."""

    agreed: bool = False  # do both ends want ECN? (ns-2: ect_)
    is_echo: bool = False  # does the ACK that is being taken in echo a mark?
    was_reduced: bool = False  # is the receiver yet to be told that the window was reduced? (ns-2: cong_action_)
    waits_for_timer: bool = False  # was a mark echoed when the window was one packet? (ns-2: ecn_backoff_)


@dataclass(slots=True)
class Interface:
    """Of what its own host's interface refused: see `simcore.rules.tcp.local_congestion`."""

    reducing: bool = False
    reduced_until: int = -1  # the highest sequence number sent when it was refused
    spares_ack: bool = True  # does the next ACK leave the window alone?
