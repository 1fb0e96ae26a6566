"""How simultaneous events keep ns-2's order in SimPy.

SimPy runs events by (time, priority, creation), ns-2 by (time, scheduling). The two agree if

- every real delay is a `Timeout` (or a `moment`), created where ns-2 schedules the event;
- everything that is a call in ns-2, and therefore done before anything else that is due now, is an URGENT event.
"""

from heapq import heappush
from math import isinf
from typing import Any

from simpy import Environment
from simpy.events import NORMAL, URGENT, Event


def happen_at_once(event: Event, value: Any = None) -> Event:
    """Trigger `event` before anything else that is due now; return it, to be waited for.

    Who waited for it first goes on first: a packet is taken by the transmitter before its giver goes on.
    `Event.succeed` would queue it behind the timeouts that are due now.
    """
    event._ok = True
    event._value = value
    event.env.schedule(event, URGENT)
    return event


def moment(env: Environment, at_s: float) -> Event:
    """An event at a time instead of after a delay; at infinity, never.

    `Timeout(at_s - now)` would happen at now + (at_s - now), which need not be the same double.
    """
    event = Event(env)
    event._ok = True
    event._value = None
    if not isinf(at_s):
        heappush(env._queue, (at_s, NORMAL, next(env._eid), event))
    return event
