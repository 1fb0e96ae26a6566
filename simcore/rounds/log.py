"""What happened in a run, as the processes tell it round by round."""

from typing import NamedTuple


class SentRow(NamedTuple):
    """A sender's round, after it has read its ACKs and before the new bytes count as sent. Windows in bytes."""

    round: int
    cwnd: int
    effective_window: int
    flight_size: int
    ssthresh: int
    advertised_window: int
    acked_bytes: int  # of the present session
    slow_start: bool
    sent_kind: int
    loss: int
    segments: int
    sent_bytes: int


class RelayedRow(NamedTuple):
    """What the router dropped of a sender's burst."""

    round: int
    dropped_segments: int
    dropped_bytes: int
    outdrawn_segments: int


class ReceivedRow(NamedTuple):
    """What a receiver has got in the present session."""

    round: int
    in_order_bytes: int
    held_bytes: int
    old_bytes: int


Row = SentRow | RelayedRow | ReceivedRow


class Log:
    """For each sender a list of rows of each kind."""

    def __init__(self, senders: int) -> None:
        self.sent: list[list[SentRow]] = [[] for _ in range(senders)]
        self.relayed: list[list[RelayedRow]] = [[] for _ in range(senders)]
        self.received: list[list[ReceivedRow]] = [[] for _ in range(senders)]
