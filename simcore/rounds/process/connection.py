"""A connection: both its ends, and what lies between them."""

from simcore.rounds.rules.receiver import ReceiverState
from simcore.rounds.rules.sender import Segment, SenderState
from simcore.rounds.scenario import RoundsScenario


class Connection:
    """What the processes hand on to each other in a round: each field is written by one and read by the next."""

    burst: list[Segment]  # from the sender, for the router and the receiver
    passed: list[bool]  # from the router: which segments of the burst
    acks: list[int]  # from the receiver: one for every segment of the burst, or a hole
    window: int  # from the receiver: bytes advertised

    def __init__(self, scenario: RoundsScenario) -> None:
        self.scenario = scenario
        self.open()

    def open(self) -> None:
        """Begin a session: both ends are as new, and whatever was under way is forgotten."""
        scenario = self.scenario
        self.sender = SenderState(
            mss=scenario.mss_bytes,
            eighth_added=scenario.eighth_added,
            go_back_n=scenario.go_back_n,
            holes_skipped=scenario.holes_skipped,
            cwnd=scenario.mss_bytes,
        )
        self.receiver = ReceiverState(old_bytes_ignored=scenario.go_back_n)
        self.burst, self.passed, self.acks = [], [], []
        self.window = self.receiver.window
