"""A connection: both its ends, and what lies between them."""

from simcore.rounds.rules.receiver import ReceiverState, places_needed
from simcore.rounds.rules.sender import Burst, SenderState
from simcore.rounds.scenario import RoundsScenario


class Connection:
    """What the processes hand on to each other in a round: each field is written by one and read by the next."""

    burst: Burst  # from the sender, for the router and the receiver
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
        places = places_needed(scenario.rounds, scenario.mss_bytes)
        self.receiver = ReceiverState(old_bytes_ignored=scenario.go_back_n, places=places)
        self.held = [0, 0] * places
        self.burst, self.acks = Burst(), []
        self.window = self.receiver.window
