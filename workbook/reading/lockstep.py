"""Lockstep: the model's sender gets the ACKs of a kernel's run at their times, and must answer with the same segments.

What the network does cannot differ then, and neither side's clock matters: what differs is a rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import pandas as pd
import xarray as xr

from simcore import Scenario
from simcore.network.states import tcp_state
from simcore.rules.recovery import recovery
from simcore.rules.tcp import acks, rto
from simcore.rules.tcp import sender as tcp
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import Profile

TICK_S: Final = 0.004  # Linux with CONFIG_HZ 250
HANDOVER_S: Final = 20e-6  # from when the clock is read until TCP reads its own; fitted: CUBIC then answers the same
START, ACK, TIMER = "start", "ack", "timer"
HEARD: Final = ("arrived_s", "number", "clock_s", "uid", "window")
NO_BLOCKS: Final[Sequence[int]] = ()


class Event(NamedTuple):
    """Something that the kernel's sender answered: what it was, and the segments that it sent.

    `number` is the ACK's, `window` the window that it tells of, `blocks` are its SACK blocks, start and end in turns; a
    row of an older record has no window, and then it is the scenario's. `clock_s` is what the kernel's clock
    said, which is late: round trips are measured by it.
    """

    at_s: float
    kind: str
    number: int
    clock_s: float
    answer: Sequence[int]
    blocks: Sequence[int] = NO_BLOCKS
    window: int = 0


@dataclass(frozen=True)
class Lockstep:
    """How far the model's sender answers as the kernel's.

    Of `acks` ACKs `same` are answered with the same segments, `before` of them before the first other answer. `parted`
    is that event, None if there is none, and `ours` what the model sends, up to the first segment that is another.
    """

    acks: int
    same: int
    before: int
    parted: Event | None = None
    ours: Sequence[int] = ()


def events_of(ds: xr.Dataset, flow: int) -> list[Event]:
    """What a flow's sender was told, and what it answered, in a run of the kernel's.

    Parameters
    ----------
    ds : xarray.Dataset
        A run on an engine `kernel`, recorded with packets.
    flow : int
        The number of a TCP flow, from 1.

    Returns
    -------
    list of Event
        In the order of time, the start of the application first.
    """
    mine, of_acks = ds["packet_flow"].values == flow, ds["ack_flow"].values == flow
    sent = pd.DataFrame({name: ds[f"packet_{name}"].values[mine] for name in ("sent_s", "seq", "by_clock", "clock_s")})
    heard = pd.DataFrame({name: ds[f"ack_{name}"].values[of_acks] for name in HEARD})
    answers = {place: tuple(seqs) for place, seqs in sent.groupby(["sent_s", "by_clock"])["seq"]}
    blocks = _blocks(ds)
    events = [
        Event(at_s, ACK, int(number), clock_s, answers.get((at_s, False), ()), blocks.get(uid, NO_BLOCKS), window)
        for at_s, number, clock_s, uid, window in heard.dropna().itertuples(index=False)
    ]
    unasked = sent[sent["by_clock"]].drop_duplicates("sent_s")
    events += [Event(at_s, TIMER, -1, at_s, answers[at_s, True]) for at_s in unasked["sent_s"]]
    first = sent.iloc[0]
    start = Event(first.sent_s, START, -1, first.clock_s, answers[first.sent_s, False])
    # what a timer sent is read before the kernel is given the ACK that comes at the same time
    return sorted([start, *events], key=lambda event: (event.at_s, event.kind != TIMER))


def _blocks(ds: xr.Dataset) -> dict[int, list[int]]:
    """The SACK blocks of each ACK that has any, start and end in turns, by its uid."""
    blocks: dict[int, list[int]] = {}
    columns = (ds[f"sack_{name}"].values.tolist() for name in ("uid", "start", "end"))
    for uid, start, end in zip(*columns, strict=True):
        blocks.setdefault(uid, []).extend((start, end))
    return blocks


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
        How many ACKs are answered as by the kernel, and the first that is not. After another answer the model's sender
        counts as sent what the kernel sent, and goes on.
    """
    spec = scenario.flows[flow - 1]
    assert isinstance(spec, TcpFlow)
    windows = [_window(event, spec, scenario.profile) for event in events]
    widest = spec.model_copy(update={"window_packets": max(windows)})
    last = max(seq for event in events for seq in event.answer)
    sender = _Sender(tcp_state(widest, scenario.profile, boot_s=(origin_s + HANDOVER_S) % TICK_S), last)
    answers = [sender.answer(event, window) for event, window in zip(events, windows, strict=True)]
    others = [i for i, event in enumerate(events) if answers[i] != list(event.answer)]
    number, other = _acks(events), _acks(events[i] for i in others)
    if not others:
        return Lockstep(number, number, number)
    first = others[0]
    return Lockstep(number, number - other, _acks(events[:first]), events[first], answers[first])


def _window(event: Event, spec: TcpFlow, profile: Profile) -> int:
    """The receiver's window; where the route bounds cwnd, as by the scenario's window, it does not matter."""
    return spec.window_packets if profile.cwnd_clamped else event.window or spec.window_packets


def _acks(events: Iterable[Event]) -> int:
    return sum(event.kind == ACK for event in events)


class _Sender:
    """A sender as an engine would drive it, without a network."""

    def __init__(self, state: Any, last: int) -> None:
        self.state = state
        self.last = last  # the last segment that the application has
        state.data_limit = 1  # the SYN

    def answer(self, event: Event, window: int) -> list[int]:
        """What it sends when it is told this, up to the first segment that the kernel does not send.

        What the receiver has no room for is withheld from it, as if the application did not have it yet.
        """
        if event.kind == ACK:
            self.state.data_end = max(self.state.data_end, min(event.number + window, self.last) + 1)
        sent = self.obey(self.take_in(event), event)
        same = len(sent) if sent == list(event.answer[: len(sent)]) else len(sent) - 1
        for seq in event.answer[same:]:
            self.state.next_seq = max(self.state.next_seq, seq + 1)
            self.send(seq, event.clock_s)
        return sent

    def take_in(self, event: Event) -> int:
        if event.kind == START:
            return tcp.source_started(self.state)
        if event.kind == TIMER:
            return recovery.timer_expired(self.state, event.clock_s)
        self.state.block_count = len(event.blocks) // 2
        self.state.blocks[: len(event.blocks)] = type(self.state.blocks)("q", event.blocks)
        return acks.ack_arrived(self.state, event.number, event.clock_s)

    def obey(self, to_do: int, event: Event) -> list[int]:
        sent: list[int] = []
        while to_do:
            request = tcp.next_request(to_do)
            if request == tcp.ARM_TIMER:
                rto.timer_started(self.state)
            else:
                next_seq = self.state.next_seq
                if (seq := self.segment_for(request)) == tcp.NO_SEGMENT:
                    break
                sent.append(seq)
                if sent != list(event.answer[: len(sent)]):
                    self.state.next_seq = next_seq  # it was chosen, but is not sent
                    break
                self.send(seq, event.clock_s)
            to_do = tcp.left_to_do(to_do, request)
        return sent

    def send(self, seq: int, now: float) -> None:
        if recovery.segment_sent(self.state, seq, now):
            rto.timer_started(self.state)

    def segment_for(self, request: int) -> int:
        return tcp.segment_asked_for(self.state, request) if request < tcp.SEND else recovery.next_segment(self.state)
