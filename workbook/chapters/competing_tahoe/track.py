"""One sender's run: its series as arrays, its cycles and its spikes."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import xarray as xr

from simcore.rounds.metrics import avoidance_begins, avoidance_ends, drop_rounds, rounds_of

Array = npt.NDArray[Any]
WINDOWS: Final = ("cwnd", "effective_window", "flight_size", "ssthresh")  # what the report draws


@dataclass(frozen=True)
class Track:
    """The rounds of the sender with this number. Windows in segments, rounds counted from 0."""

    run: xr.Dataset
    sender: int

    def values(self, name: str) -> Array:
        """A series of the run's, along the rounds, in its own unit."""
        values: Array = self.run.variables[name].values[self.sender - 1]
        return values

    def windows(self, name: str) -> Array:
        """A series of bytes, in segments."""
        windows: Array = self.values(name) / self.mss
        return windows

    @cached_property
    def mss(self) -> int:
        """Bytes of a segment."""
        return int(self.run.variables["mss_bytes"].values)

    @cached_property
    def repairs(self) -> Array:
        """Rounds in which a lost segment is sent again."""
        return rounds_of(self.run, self.sender, "retransmission")

    @cached_property
    def bursts(self) -> Array:
        """Rounds in which new whole segments are sent."""
        return rounds_of(self.run, self.sender, "burst")

    @cached_property
    def drops(self) -> Array:
        """Rounds in which the router drops segments."""
        return drop_rounds(self.run, self.sender)

    @cached_property
    def stalled(self) -> Array:
        """Whether a round goes by with a retransmission or a single byte."""
        stalled = np.zeros(self.run.sizes["round"], np.bool_)
        stalled[self.repairs] = True
        stalled[rounds_of(self.run, self.sender, "one_byte")] = True
        return stalled

    @cached_property
    def begins(self) -> Array:
        """Rounds in which congestion avoidance begins."""
        return avoidance_begins(self.run, self.sender)

    @cached_property
    def ends(self) -> Array:
        """Rounds in which it has ended."""
        return avoidance_ends(self.run, self.sender)

    def spikes(self, since: int = 0, until: int | None = None) -> Array:
        """The congestion window at the height of each cycle of avoidance that begins and ends between two rounds."""
        begins = self.begins[: self.ends.size]
        within = (begins >= since) & (self.ends <= (self.run.sizes["round"] if until is None else until))
        heights: Array = self.windows("cwnd")[self.ends[within] - 1]
        return heights

    def next_burst(self, when: int) -> int:
        """The first round after `when` in which new whole segments are sent."""
        return int(self.bursts[self.bursts > when][0])
