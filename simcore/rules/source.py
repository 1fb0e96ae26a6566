"""The state of a UDP source: what it needs to say when its next packet leaves."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class SourceState:
    """One state for all kinds of sources; each uses the fields that it needs."""

    interval_s: float = 0.0  # between two packets of a burst
    mean_burst_packets: float = 0.0
    mean_idle_s: float = 0.0
    shape: float = 2.0  # of a Pareto distribution
    left_in_burst: int = 0
    times_s: Sequence[float] = field(default_factory=lambda: [float("inf")])  # of a replay, ended by infinity
    sent: int = 0
