"""SimPy's clock tied to the machine's: an event happens when its time has come, and the kernel may speak in between."""

from array import array
from select import select
from time import monotonic
from typing import Final

from simcore.process.clock import Environment, Timer, Until

LONGEST_WAIT_S: Final = 0.1  # then it looks whether it must stop: select(2) goes on after a signal (PEP 475)


class RealTime(Environment):
    """An environment whose events wait for their time. `listeners`: whom to tell that a descriptor can be read.

    SimPy's own RealtimeEnvironment can't wait on descriptors.
    """

    def __init__(self) -> None:
        super().__init__()
        self.listeners: dict[int, Timer] = {}
        self.origin_s = monotonic()
        self.must_stop = False
        self.lateness_s = array("d")  # of each packet that was handed to the kernel

    def begin(self) -> None:
        """Time 0 is now."""
        self.origin_s = monotonic()

    def clock_s(self) -> float:
        """The time by the machine's clock: never before `now`, later by as much as we are late."""
        return monotonic() - self.origin_s

    def stop(self) -> None:
        """End the run as soon as all is done that is due."""
        self.must_stop = True

    def note_lateness(self) -> None:
        """Note how late what happens now is."""
        self.lateness_s.append(self.clock_s() - self.now)

    def step(self) -> None:
        """Wait until the next event is due, and let it happen. What the kernel says before is an event as well.

        Raises KeyboardInterrupt, between two times, if the run is to be stopped.
        """
        while (due_s := self.peek()) > (now_s := self.clock_s()):
            if self.must_stop:
                raise KeyboardInterrupt
            for descriptor in select(self.listeners, (), (), min(due_s - now_s, LONGEST_WAIT_S))[0]:
                self.listeners[descriptor].start(Until(self.clock_s()))
        Environment.step(self)
