"""Lockstep: the model's sender gets the ACKs of a kernel's run at their times, and must answer with the same segments.

What the network does cannot differ then, and neither side's clock matters: what differs is a rule.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from simcore import Scenario
from simcore.network.states import sink_state, tcp_state
from simcore.rules.receivers import acknowledgement, sink
from simcore.rules.recovery import recovery
from simcore.rules.tcp import acks, rto
from simcore.rules.tcp import sender as tcp
from simcore.scenario.scenario import TcpFlow

TICK_S: Final = 0.004  # Linux with CONFIG_HZ 250
HANDOVER_S: Final = 20e-6  # from when the clock is read until TCP reads its own; fitted: CUBIC then answers the same
START, ACK, TIMER = "start", "ack", "timer"
NO_BLOCKS: Final[Sequence[int]] = ()


class Event(NamedTuple):
    """Something that the kernel's sender answered: what it was, and the segments that it sent.

    `number` is the ACK's; `blocks` are its SACK blocks, start and end in turns. `clock_s` is what the kernel's clock
    said, which is late: round trips are measured by it.
    """

    at_s: float
    kind: str
    number: int
    clock_s: float
    answer: Sequence[int]
    blocks: Sequence[int] = NO_BLOCKS


@dataclass(frozen=True)
class Lockstep:
    """How far the model's sender answers as the kernel's: so many of the ACKs, until the first other answer.

    `parted` is that event, None if there is none, and `ours` what the model sent.
    """

    acks: int
    same: int
    parted: Event | None = None
    ours: Sequence[int] = ()


def events_of(ds: xr.Dataset, scenario: Scenario, flow: int) -> list[Event]:
    """What a flow's sender was told, and what it answered, in a run of the kernel's.

    Parameters
    ----------
    ds : xarray.Dataset
        A run on an engine `kernel`, recorded with packets.
    scenario : Scenario
        What was run. Receivers that delay ACKs tell no SACK blocks here.
    flow : int
        The number of a TCP flow, from 1.

    Returns
    -------
    list of Event
        In the order of time, the start of the application first.
    """
    mine, told = ds["packet_flow"].values == flow, ds["ack_flow"].values == flow
    sent = pd.DataFrame({name: ds[f"packet_{name}"].values[mine] for name in ("sent_s", "seq", "by_clock", "clock_s")})
    heard = pd.DataFrame({name: ds[f"ack_{name}"].values[told] for name in ("arrived_s", "number", "clock_s")})
    answers = {place: tuple(seqs) for place, seqs in sent.groupby(["sent_s", "by_clock"])["seq"]}
    heard["blocks"] = _blocks(ds, scenario, flow) or [NO_BLOCKS] * len(heard)
    events = [
        Event(at_s, ACK, int(number), clock_s, answers.get((at_s, False), ()), blocks)
        for at_s, number, clock_s, blocks in heard.dropna().itertuples(index=False)
    ]
    unasked = sent[sent["by_clock"]].drop_duplicates("sent_s")
    events += [Event(at_s, TIMER, -1, at_s, answers[at_s, True]) for at_s in unasked["sent_s"]]
    first = sent.iloc[0]
    start = Event(first.sent_s, START, -1, first.clock_s, answers[first.sent_s, False])
    # what a timer sent is read before the kernel is given the ACK that comes at the same time
    return sorted([start, *events], key=lambda event: (event.at_s, event.kind != TIMER))


def _blocks(ds: xr.Dataset, scenario: Scenario, flow: int) -> list[Sequence[int]]:
    """The SACK blocks of a receiver that acknowledges every segment: what came tells them."""
    said = scenario.flows[flow - 1]
    assert isinstance(said, TcpFlow)
    state = sink_state(said, scenario.profile)
    if not state.selective or said.sink != "immediate":
        return []
    mine = (ds["packet_flow"].values == flow) & ~np.isnan(ds["packet_arrived_s"].values)
    order = np.argsort(ds["packet_arrived_s"].values[mine], kind="stable")
    told: list[Sequence[int]] = []
    for seq in ds["packet_seq"].values[mine][order]:
        sink.take_in(state, int(seq))
        acknowledgement.compose(state)
        told.append(tuple(state.blocks[: 2 * state.block_count]))
    return told


def lockstep(events: Sequence[Event], scenario: Scenario, flow: int, origin_s: float = 0.0) -> Lockstep:
    """Feed the model's sender what the kernel's was told.

    Parameters
    ----------
    events : sequence of Event
        What `events_of` gives.
    scenario : Scenario
        What was run, with the profile that is asked: `linux-nearest` for the engine `kernel`.
    flow : int
        The number of the flow, from 1.
    origin_s : float, optional
        What the kernel's clock said when the run began (`clock_origin_s` of the run): CUBIC counts in its ticks.

    Returns
    -------
    Lockstep
        How many ACKs were answered as by the kernel, and the first that was not.
    """
    said = scenario.flows[flow - 1]
    assert isinstance(said, TcpFlow)
    last = max(seq for event in events for seq in event.answer)
    sender = _Sender(tcp_state(said, scenario.profile, boot_s=(origin_s + HANDOVER_S) % TICK_S), last + 1)
    number = sum(event.kind == ACK for event in events)
    for same, (event, ours) in enumerate(zip(events, sender.answers(events), strict=True)):
        if ours != list(event.answer):
            return Lockstep(number, sum(event.kind == ACK for event in events[:same]), event, ours)
    return Lockstep(number, number)


class _Sender:
    """A sender whose application has so many segments, as an engine would drive it, without a network."""

    def __init__(self, state: Any, data_limit: int) -> None:
        self.state = state
        state.data_limit = data_limit

    def answers(self, events: Sequence[Event]) -> Iterator[list[int]]:
        """What it sends when it is told each of these."""
        for event in events:
            yield self.obey(self.told(event), event.clock_s)

    def told(self, event: Event) -> int:
        if event.kind == START:
            return tcp.source_started(self.state)
        if event.kind == TIMER:
            return recovery.timer_expired(self.state, event.clock_s)
        self.state.block_count = len(event.blocks) // 2
        self.state.blocks[: len(event.blocks)] = type(self.state.blocks)("q", event.blocks)
        return acks.ack_arrived(self.state, event.number, event.clock_s)

    def obey(self, to_do: int, now: float) -> list[int]:
        sent = []
        while to_do:
            request = tcp.next_request(to_do)
            if request == tcp.ARM_TIMER:
                rto.timer_started(self.state)
            elif (seq := self.segment_for(request)) == tcp.NO_SEGMENT:
                break
            else:
                sent.append(seq)
                if recovery.segment_sent(self.state, seq, now):
                    rto.timer_started(self.state)
            to_do = tcp.left_to_do(to_do, request)
        return sent

    def segment_for(self, request: int) -> int:
        return tcp.segment_asked_for(self.state, request) if request < tcp.SEND else recovery.next_segment(self.state)
