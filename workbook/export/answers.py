"""What segments and ACKs say in TCP's options and flags, which a Dataset does not keep.

The receiver's rules are run again over the segments that arrived: what they put into SACK blocks and ECE then, they
put there in the run. Only models have these rules: of the kernel's TCP nothing is made up.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import xarray as xr
import yaml

from simcore import MODELS, Scenario, scenario_from
from simcore.metrics.series import Array
from simcore.network.states import sink_state
from simcore.results.journeys import arrivals
from simcore.rules.headers import header
from simcore.rules.headers.ecn_bits import CAPABLE, ECHO, EXPERIENCED, REDUCED
from simcore.rules.headers.registry import header_of_sender
from simcore.rules.receivers.sink import SinkState, take_in
from simcore.rules.tcp.sender import CONGESTION_ECHOED, FAST_RETRANSMIT, IDLE_TIMEOUT, REFUSED, TIMED_OUT
from simcore.scenario.flows import TcpFlow

CUTS: Final = (FAST_RETRANSMIT, TIMED_OUT, IDLE_TIMEOUT, REFUSED, CONGESTION_ECHOED)  # RFC 3168, section 6.1.2: any


class Answer(NamedTuple):
    """What an ACK says beyond its number: ranges of segments, the second number excluded, and whether it echoes."""

    blocks: tuple[tuple[int, int], ...] = ()
    echoes: bool = False


def uses_ecn(ds: xr.Dataset, flow: int) -> bool:
    """Does a flow negotiate ECN?"""
    return bool(getattr(_scenario(ds.attrs["scenario"]).flows[flow - 1], "ecn", False))


def reductions(ds: xr.Dataset, flow: int) -> frozenset[int]:
    """The rows of the packets that tell of a cut (CWR): the first that was sent after each, if the flow uses ECN."""
    if not uses_ecn(ds, flow):
        return frozenset()
    rows = np.flatnonzero(ds["packet_flow"].values == flow)
    place = np.searchsorted(ds["packet_sent_s"].values[rows], _cuts_s(ds, flow))
    return frozenset(rows[place[place < rows.size]].tolist())


def _cuts_s(ds: xr.Dataset, flow: int) -> Array:
    """When the window was cut. A fast retransmit after an echo of the same window changes nothing more."""
    rows = np.flatnonzero(ds["update_flow"].values == flow)
    cause, cwnd, ssthresh = (ds[f"update_{name}"].values[rows] for name in ("cause", "cwnd", "ssthresh"))
    changed = (np.diff(cwnd, prepend=0) != 0) | (np.diff(ssthresh, prepend=0) != 0)
    times: Array = ds["update_s"].values[rows][np.isin(cause, CUTS) & (changed | (cause != FAST_RETRANSMIT))]
    return times


def answers(ds: xr.Dataset, flow: int) -> dict[int, Answer]:
    """What the ACKs of a TCP flow say, by their rows, as far as it is more than a number."""
    scenario = _scenario(ds.attrs["scenario"])
    given = scenario.flows[flow - 1]
    if ds.attrs["engine"] not in MODELS or not isinstance(given, TcpFlow):
        return {}
    sink, segment = sink_state(given, scenario.profile), header_of_sender(given.header_options())
    rows = np.flatnonzero(ds["ack_flow"].values == flow)
    by_row = {}
    for row, segments in zip(rows.tolist(), _between(ds, flow, ds["ack_sent_s"].values[rows]), strict=True):
        for seq, flags in segments:
            take_in(sink, seq)
            segment.flags = flags
            header.segment_arrived(segment, sink.header, sink, seq, 0.0)
        by_row[row] = _answer(sink)
    return {row: answer for row, answer in by_row.items() if answer != Answer()}


def _answer(sink: SinkState) -> Answer:
    header.ack_leaves(sink.header, sink, 0.0)
    sack = sink.header.said.get("sack")
    blocks = sack.blocks[: 2 * sack.count] if sack else ()
    return Answer(tuple(zip(blocks[::2], blocks[1::2], strict=True)), sink.header.flags == ECHO)


def _between(ds: xr.Dataset, flow: int, ack_s: Array) -> Iterator[list[tuple[int, int]]]:
    """For each ACK the segments, with their ECN flags, that arrived since the one before it."""
    came = arrivals(ds, flow)
    ends = np.searchsorted(ds["packet_arrived_s"].values[came], ack_s, side="right")
    seq, flags = ds["packet_seq"].values[came], _flags(ds, flow)[came]
    for begin, end in zip(np.append(0, ends)[:-1], ends, strict=True):
        yield list(zip(seq[begin:end].tolist(), flags[begin:end].tolist(), strict=True))


def _flags(ds: xr.Dataset, flow: int) -> Array:
    """What each data packet says of congestion when it arrives; nothing without ECN."""
    flags = np.zeros(ds.sizes["packet"], np.int64)
    if uses_ecn(ds, flow):
        flags[:] = np.where(ds["packet_seq"].values == 0, ECHO, CAPABLE)
        flags |= np.where(ds["packet_marked"].values, EXPERIENCED, 0)
        flags[list(reductions(ds, flow))] |= REDUCED
    return flags


@lru_cache(maxsize=8)
def _scenario(text: str) -> Scenario:
    return scenario_from(yaml.safe_load(text))
