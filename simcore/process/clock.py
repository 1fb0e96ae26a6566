"""How simultaneous events keep ns-2's order in SimPy.

SimPy runs events by (time, priority, creation), ns-2 by (time, scheduling). The two agree if

- every real delay is a `Timeout`, created where ns-2 schedules the event;
- everything that is a call in ns-2, and therefore done before anything else that is due now, is an event that
  `succeed`s in the `Environment` of this module.

`Environment.schedule` is meant to be overridden, and a delay may be any number.
"""

from collections import deque
from heapq import heappush

import simpy
from simpy.events import URGENT, Event, EventPriority, Timeout

from simcore.process.packet import Packet


class Environment(simpy.Environment):
    """SimPy's environment, where an event that succeeds happens before anything else that is due now.

    In SimPy's own it happens behind the timeouts that are due now. A `Timeout` says its priority itself, and keeps it.
    Who waited for an event first goes on first: a packet is taken by the transmitter before its giver goes on.

    SimPy means `schedule` to be overridden. Its own line stands here with another default, since it is called for every
    event: to call it from here, which would be the same, takes 3 % of a run.
    """

    def schedule(self, event: Event, priority: EventPriority = URGENT, delay: float = 0) -> None:
        """Let an event happen after a delay in seconds."""
        heappush(self._queue, (self._now + delay, priority, next(self._eid), event))


class Until(float):
    """A delay that ends at this time, in seconds: `Timeout(env, Until(at_s))` happens at `at_s`, to the last bit.

    SimPy adds every delay to its clock. `Timeout(env, at_s - now)` would happen at now + (at_s - now), which need not
    be the same double, and for some times no delay at all has the right sum. So this one answers the addition itself:
    Python asks the right operand first if its class is derived from that of the left one.
    """

    def __radd__(self, now: float) -> float:
        """The time itself, whatever the clock says."""
        return float(self)


class Timer:
    """Puts itself into a mailbox a while after it was started last. Many may ring; a process sees which one did."""

    def __init__(self, env: Environment, inbox: "Mailbox") -> None:
        self.env = env
        self.inbox = inbox
        self.pending: Event | None = None

    def start(self, delay_s: float) -> None:
        """Ring after `delay_s` seconds, instead of when it was to ring before."""
        self.pending = Timeout(self.env, delay_s)
        self.pending.callbacks.append(self.ring)

    def stop(self) -> None:
        """Don't ring."""
        self.pending = None

    def ring(self, timeout: Event) -> None:
        """Called by the environment; a timeout from before the last start or stop is stale."""
        if timeout is self.pending:
            self.inbox.put(self)


class Mailbox:
    """Where one process waits for the next thing that concerns it: a packet that has arrived, or a timer that rang.

    A message is read before anything else that is due now. If a second one comes before the first was dealt with it
    waits for its turn, as the second of two calls does in ns-2. `simpy.Store` would do the same with twice the events.
    """

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.unread: deque[Packet | Timer] = deque()
        self.expected: Event | None = None  # what the process waits for

    def put(self, message: Packet | Timer) -> None:
        """Leave a message."""
        if self.expected is None:
            self.unread.append(message)
        else:
            expected, self.expected = self.expected, None
            expected.succeed(message)

    def next(self) -> Event:
        """An event, to be waited for, that has the next message as its value."""
        event = Event(self.env)
        if self.unread:
            event.succeed(self.unread.popleft())
        else:
            self.expected = event
        return event
