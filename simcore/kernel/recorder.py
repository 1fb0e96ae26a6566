"""The log of a run on the kernel: it also has which packets were stamped by the clock, and smoothed round trips."""

from array import array
from dataclasses import fields
from math import nan

from simcore.kernel.windows import Observation, window_of
from simcore.process.recorder import Recorder, Window
from simcore.results.log import Log, Recording


class KernelRecorder(Recorder):
    """The log in the making."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self.packet_by_clock: array[int] = array("B")
        self.packet_clock_s: array[float] = array("d")
        self.update_srtt_s: array[float] = array("d")

    def packet_made(
        self, flow: int, seq: int, size_bytes: int, *, is_ack: bool, repeated: bool, by_clock: bool = False
    ) -> int:
        """Enter a new packet; return its uid."""
        self.packet_by_clock.append(by_clock)
        self.packet_clock_s.append(nan)
        return super().packet_made(flow, seq, size_bytes, is_ack=is_ack, repeated=repeated)

    def window_changed(self, now: float, flow: int, tcp: Window, rto_s: float, srtt_s: float = nan) -> None:
        """Enter a window, if it is to be kept; only the kernel's senders tell their smoothed round trip."""
        kept = len(self.update_s)
        super().window_changed(now, flow, tcp, rto_s)
        if len(self.update_s) > kept:
            self.update_srtt_s.append(srtt_s)

    def window_observed(self, now: float, flow: int, seen: Observation, cause: int, advertised: int) -> None:
        """Enter what the kernel says of a sender."""
        self.window_changed(now, flow, window_of(seen, cause, advertised), seen.rto_s, seen.srtt_s)

    def log(self) -> Log:
        """The columns alone."""
        return Log(**{field.name: getattr(self, field.name) for field in fields(Log)})
