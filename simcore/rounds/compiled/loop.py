"""What happens in a round: the senders send, the router lets pass or drops, the receivers acknowledge."""

from typing import Any, Final

from simcore.rounds.compiled.layout import World
from simcore.rounds.rules import router, sender
from simcore.rounds.rules.receiver import BUFFER_BYTES, segment_arrived

FINISHED: Final = 0
DRAWN_OUT: Final = 1  # more draws are needed
PAUSED: Final = 2

Row = Any  # a record: attributes are its fields


def run_rounds(w: World, most: int) -> int:
    """Simulate at most so many rounds; say why it stopped. It goes on where it stopped when called again."""
    run = w.run[0]
    for _ in range(most):
        if run.now >= run.rounds:
            return FINISHED
        if run.drawn + sender.MOST_SEGMENTS > len(w.draws):
            return DRAWN_OUT
        for i in range(len(w.plans)):
            act(w, i)
        run.drawn += router.relay(run.reading, w.bursts, w.draws, run.drawn, run.buffer, run.mismatch)
        for i in range(len(w.plans)):
            write_drops(w, i)
            acknowledge(w, i)
        run.now += 1
    return PAUSED


def act(w: World, i: int) -> None:
    """A sender's round: what it reads and sends, if it is there."""
    plan, now = w.plans[i], w.run[0].now
    if now < plan.start_round:
        return
    is_idle = plan.idle_from <= now and now <= plan.idle_until
    if is_idle and plan.is_dropped:
        if now == plan.idle_from:
            open_session(w, i)
        return
    state, loss = w.senders[plan.session], sender.NO_LOSS
    if is_idle and now > plan.idle_from:
        sender.keep_alive_acks_arrived(state, plan.acks)
    else:
        loss = sender.acks_arrived(state, plan.acks)
    kind = sender.KEEP_ALIVE if is_idle else sender.kind_to_send(state, plan.window, loss)
    send(w, i, kind, loss)


def open_session(w: World, i: int) -> None:
    """Go on with new states of both ends; whatever was under way is forgotten."""
    plan = w.plans[i]
    plan.session += len(w.plans)
    plan.window = w.receivers[plan.session].window
    w.bursts[i].count = 0


def send(w: World, i: int, kind: int, loss: int) -> None:
    """Put a burst on its way, and write down the state in which it left."""
    plan, burst, row = w.plans[i], w.bursts[i], row_of(w, i)
    state = w.senders[plan.session]
    row.cwnd, row.ssthresh, row.slow_start = state.cwnd, state.ssthresh, state.slow_start
    row.flight_size, row.effective_window = sender.flight_size(state), sender.effective_window(state, plan.window)
    row.advertised_window, row.acked_bytes = plan.window, state.acked + 1
    sender.send(state, burst, kind, row.effective_window)
    row.sent_kind, row.loss = kind, loss
    row.segments, row.sent_bytes = burst.count, burst.count * burst.length


def write_drops(w: World, i: int) -> None:
    """Write down what the router dropped."""
    burst, row = w.bursts[i], row_of(w, i)
    row.dropped_segments = router.dropped(burst)
    row.dropped_bytes = row.dropped_segments * burst.length
    row.outdrawn_segments = router.outdrawn(w.bursts, i)


def acknowledge(w: World, i: int) -> None:
    """One ACK for every segment that passed, a hole for every one that didn't, and for those that were not sent."""
    plan, burst = w.plans[i], w.bursts[i]
    state = w.receivers[plan.session]
    for slot in range(sender.MOST_SEGMENTS):
        plan.acks[slot] = sender.HOLE
        if slot < burst.count and burst.passed[slot]:
            plan.acks[slot] = segment_arrived(state, w.held, burst.first + slot * burst.length, burst.length)
    plan.window = state.window
    row = row_of(w, i)
    row.in_order_bytes, row.held_bytes, row.old_bytes = state.expected, BUFFER_BYTES - state.window, state.old_bytes


def row_of(w: World, i: int) -> Row:
    """What is written of a sender in this round."""
    return w.rows[w.run[0].rounds * i + w.run[0].now]
