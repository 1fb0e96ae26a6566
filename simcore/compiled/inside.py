"""What rules record of their states (`simcore.rules.recorded`), compiled only where that is asked for."""

from simcore.compiled import rules
from simcore.compiled.layout import ROWS_A_PACKET, Row, World


def note_state(first: Row, w: World, flow: int) -> None:
    """A sender has taken in an ACK, or its timer rang."""
    run = w.run[0]
    row = w.states[run.state]
    row.s = run.now
    row.flow = flow + 1
    rules.copy_recorded(row, w.tcp[flow])
    run.state += 1
    if run.state + ROWS_A_PACKET * run.burst > len(w.states):
        run.crowded = True


def note_queue(first: Row, w: World, p: int) -> None:
    """A packet has come to the queue of port `p`."""
    run = w.run[0]
    row = w.disciplines[run.discipline]
    row.s = run.now
    row.link = p
    rules.copy_recorded(row, w.queues[w.ports[p].queue])
    run.discipline += 1
    if run.discipline + ROWS_A_PACKET * run.burst > len(w.disciplines):
        run.crowded = True
