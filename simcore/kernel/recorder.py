"""The log of a run on the kernel: it also has which packets were stamped by the clock, and smoothed round trips."""

from array import array
from dataclasses import replace
from math import nan
from typing import Final

import numpy as np

from simcore.kernel.windows import Observation, window_of
from simcore.process.recorder import Recorder, Window
from simcore.results.log import Log, Recording
from simcore.results.row import Row

SACK: Final = Row("sack", uid="q", start="q", end="q")


class KernelRecorder(Recorder):
    """The log in the making."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self.packet_by_clock: array[int] = array("B")
        self.packet_clock_s: array[float] = array("d")
        self.packet_window: array[int] = array("q")
        self.update_srtt_s: array[float] = array("d")
        self.sacks = bytearray()

    def packet_made(
        self, flow: int, seq: int, size_bytes: int, *, is_ack: bool, repeated: bool, by_clock: bool = False
    ) -> int:
        """Enter a new packet; return its uid."""
        self.packet_by_clock.append(by_clock)
        self.packet_clock_s.append(nan)
        self.packet_window.append(0)
        return super().packet_made(flow, seq, size_bytes, is_ack=is_ack, repeated=repeated)

    def window_changed(self, now: float, flow: int, tcp: Window, rto_s: float, srtt_s: float = nan) -> bool:
        """Enter a window, if it is to be kept; was it? Only the kernel's senders tell their smoothed round trip."""
        is_kept = super().window_changed(now, flow, tcp, rto_s)
        if is_kept:
            self.update_srtt_s.append(srtt_s)
        return is_kept

    def window_observed(self, now: float, flow: int, seen: Observation, cause: int, advertised: int) -> None:
        """Enter what the kernel says of a sender."""
        self.window_changed(now, flow, window_of(seen, cause, advertised), seen.rto_s, seen.srtt_s)

    def block_told(self, uid: int, start: int, end: int) -> None:
        """Enter a SACK block of an ACK."""
        self.sacks += SACK.pack(uid, start, end)

    def log(self) -> Log:
        """What was entered, as columns."""
        sacks = SACK.columns(self.sacks)
        return replace(
            super().log(),
            packet_by_clock=np.asarray(self.packet_by_clock),
            packet_clock_s=np.asarray(self.packet_clock_s),
            packet_window=np.asarray(self.packet_window),
            update_srtt_s=np.asarray(self.update_srtt_s),
            sack_uid=sacks["sack_uid"],
            sack_start=sacks["sack_start"],
            sack_end=sacks["sack_end"],
        )
