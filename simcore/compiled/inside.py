"""What rules record of their states (`simcore.rules.recorded`), compiled only where that is asked for."""

from collections.abc import Sequence
from typing import TypeVar

from simcore.compiled.intrinsics import copy_recorded
from simcore.compiled.layout import ROWS_A_PACKET
from simcore.compiled.view import RecordedRow, World

AnyRow = TypeVar("AnyRow", bound=RecordedRow)


def note_state(w: World, flow: int) -> None:
    """A sender has taken in an ACK, or its timer rang."""
    row = row_now(w, w.states, w.run[0].state)
    row.flow = flow + 1
    copy_recorded(row, w.tcp[flow])
    w.run[0].state += 1


def note_queue(w: World, p: int) -> None:
    """A packet has come to the queue of port `p`."""
    row = row_now(w, w.disciplines, w.run[0].discipline)
    row.link = p
    copy_recorded(row, w.queues[w.ports[p].queue])
    w.run[0].discipline += 1


def row_now(w: World, rows: Sequence[AnyRow], number: int) -> AnyRow:
    """A table's next row, of this moment; the table must have room for those to come."""
    run = w.run[0]
    if number + ROWS_A_PACKET * run.burst >= len(rows):
        run.crowded = True
    row = rows[number]
    row.s = run.now
    return row
