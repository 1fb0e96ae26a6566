"""Lockstep of receivers: the model's gets the segments of a kernel's run, and must hold back the same ACKs."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import xarray as xr

from simcore import Scenario
from simcore.network.states import sink_state
from simcore.rules.receivers import sink
from simcore.scenario.flows import TcpFlow

TIMER: Final = -1  # in place of a segment's number: an ACK was held back until its time was over


class Arrival(NamedTuple):
    """A segment that came to the kernel's receiver, and whether it was acknowledged at once."""

    at_s: float
    number: int
    at_once: bool


class Answered(NamedTuple):
    """How many arrivals there were, how many the model's receiver answers as the kernel's, and the first other one."""

    arrivals: int
    same: int
    parted: Arrival | None


def arrivals_of(ds: xr.Dataset, flow: int) -> list[Arrival]:
    """What came to a flow's receiver in a run of the kernel's.

    Parameters
    ----------
    ds : xarray.Dataset
        A run on an engine `kernel`, recorded with packets.
    flow : int
        The number of a TCP flow, from 1.

    Returns
    -------
    list of Arrival
        In the order of time, with the ACKs that the kernel's timer sent.
    """
    mine = (ds["packet_flow"].values == flow) & ~np.isnan(ds["packet_arrived_s"].values)
    acks = ds["ack_flow"].values == flow
    sent_s, by_clock = ds["ack_sent_s"].values[acks], ds["ack_by_clock"].values[acks]
    answered = set(sent_s[~by_clock].tolist())
    came = [
        Arrival(at_s, number, at_s in answered)
        for at_s, number in zip(
            ds["packet_arrived_s"].values[mine].tolist(), ds["packet_seq"].values[mine].tolist(), strict=True
        )
    ]
    return sorted([*came, *(Arrival(at_s, TIMER, True) for at_s in sent_s[by_clock].tolist())])


def answered_alike(arrivals: Sequence[Arrival], scenario: Scenario, flow: int) -> Answered:
    """Let the model's receiver have these arrivals.

    Parameters
    ----------
    arrivals : sequence of Arrival
        What `arrivals_of` gives.
    scenario : Scenario
        What was run, with the profile that is asked.
    flow : int
        The number of the flow, from 1.

    Returns
    -------
    Answered
        Whether the same segments are acknowledged at once.
    """
    spec = scenario.flows[flow - 1]
    assert isinstance(spec, TcpFlow)
    state = sink_state(spec, scenario.profile)
    others = []
    for arrival in arrivals:
        if arrival.number == TIMER:
            to_do = sink.timer_expired(state)
        else:
            state.arrived_s = arrival.at_s
            to_do = sink.segment_arrived(state, arrival.number)
        if bool(to_do & sink.ACKNOWLEDGE) != arrival.at_once:
            others.append(arrival)
    return Answered(len(arrivals), len(arrivals) - len(others), others[0] if others else None)
