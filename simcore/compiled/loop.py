"""The event loop: run the next event, until the end, until memory runs low, or for so many events."""

from typing import Final

from simcore.compiled.hosts import host_event, packet_arrived, schedule_applications
from simcore.compiled.ports import transmitter_freed
from simcore.compiled.tournament import precedes
from simcore.compiled.view import World

FINISHED: Final = 0
CROWDED: Final = 1
PAUSED: Final = 2


def run_events(w: World, most: int) -> int:
    """Run at most so many events; say why it stopped. It goes on where it stopped when called again."""
    run = w.run[0]
    if run.id == 0:
        schedule_applications(w)
    for _ in range(most):
        if run.crowded:
            return CROWDED
        link, host = w.link_winner[1], w.host_winner[1]
        link_is_next = precedes(w.link_leaves[link], w.host_leaves[host])
        due = w.link_leaves[link] if link_is_next else w.host_leaves[host]
        if due.time >= run.end_s:
            return FINISHED
        run.now, run.now_id = due.time, due.id
        if not link_is_next:
            host_event(w, host)
        elif link % 2:
            packet_arrived(w, link // 2)
        else:
            transmitter_freed(w, link // 2)
    return PAUSED
