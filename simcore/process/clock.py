"""How simultaneous events keep ns-2's order in SimPy.

SimPy runs events by (time, priority, creation), ns-2 by (time, scheduling). The two agree if

- every real delay is a `Timeout`, created where ns-2 schedules the event;
- everything that is a call in ns-2, and therefore done before anything else that is due now, is an URGENT event.
"""

from typing import Any

from simpy.events import URGENT, Event


def happen_at_once(event: Event, value: Any = None) -> Event:
    """Trigger `event` before anything else that is due now; return it, to be waited for.

    Who waited for it first goes on first: a packet is taken by the transmitter before its giver goes on.
    `Event.succeed` would queue it behind the timeouts that are due now.
    """
    event._ok = True
    event._value = value
    event.env.schedule(event, URGENT)
    return event
