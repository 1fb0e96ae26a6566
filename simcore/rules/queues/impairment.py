"""Losses on purpose: what befalls a flow's packets at the bottleneck besides its queue.

The packets of a flow that reach the bottleneck are counted from 1, retransmissions and dropped ones included. Those
with given numbers are lost there (ns-2: ErrorModel/List), others with a probability (ns-2: ErrorModel/Uniform), and
some may be spared from a full queue, which ns-2 has no word for. The queue's rules never see a packet that is lost:
ns-2's error module stands before the queue, and behind the trace of what is enqueued if it was inserted first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from simcore.rules.mrg32k3a import Stream, uniform

# What is to be done with a packet.
QUEUE: Final = 0  # offer it to the queue
LOSE: Final = 1
SPARE: Final = 2  # put it into the queue, even if that is full

NO_MORE: Final = 0  # ends a list of numbers


@dataclass(slots=True)
class State:
    """Of one flow. The numbers of packets are in increasing order, NO_MORE behind the last."""

    lost: Sequence[int] = field(default_factory=lambda: [NO_MORE])
    spared: Sequence[int] = field(default_factory=lambda: [NO_MORE])
    loss_probability: float = 0.0
    came: int = 0  # packets so far
    lost_so_far: int = 0  # of those listed
    spared_so_far: int = 0


def packet_came(state: State, stream: Stream) -> int:
    """A packet of the flow reached the bottleneck: what is to be done with it?

    ns-2 draws one number for every packet, and loses the packet if that is less than the probability.
    """
    state.came += 1
    decision = QUEUE
    if state.spared[state.spared_so_far] == state.came:
        state.spared_so_far += 1
        decision = SPARE
    if state.lost[state.lost_so_far] == state.came:
        state.lost_so_far += 1
        decision = LOSE
    if state.loss_probability > 0.0 and uniform(stream) < state.loss_probability:
        decision = LOSE
    return decision
