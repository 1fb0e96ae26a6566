"""The queues of the row's links at t = 0, as their rules have them."""

from array import array
from collections.abc import Callable
from math import exp
from typing import NamedTuple

from simcore.addresses import addresses
from simcore.links import (
    AnyQueue,
    ControlledDelay,
    DeficitRoundRobin,
    DropTail,
    FairQueue,
    FlowQueueControlledDelay,
    RandomEarlyDetection,
)
from simcore.rules import codel, controlled_delay, droptail_bytes, drr, fq_codel, red, sfq, turns, waiting
from simcore.scenario import Scenario, TcpFlow
from simcore.setup import segment_bytes


class Queue(NamedTuple):
    """The name of a discipline (see `simcore.rules.disciplines`), and its state."""

    rules: str
    state: waiting.Waiting


def queue_of(scenario: Scenario, link: AnyQueue) -> Queue | None:
    """The discipline of a link of the row; None if it is drop-tail with a limit in packets, as on every other link."""
    match link:
        case DropTail(buffer_bytes=limit_bytes):
            return None if limit_bytes is None else Queue("droptail_bytes", _droptail_bytes(scenario, limit_bytes))
        case FairQueue() as given:
            return Queue("sfq", _sfq(scenario, given))
        case DeficitRoundRobin() as given:
            return Queue("drr", _drr(scenario, given))
        case RandomEarlyDetection() as given:
            return Queue("red", _red(scenario, given))
        case ControlledDelay() as given:
            return Queue("codel", _codel(given))
        case FlowQueueControlledDelay() as given:
            return Queue("fq_codel", _fq_codel(scenario, given))


def _droptail_bytes(scenario: Scenario, limit_bytes: int) -> droptail_bytes.State:
    return droptail_bytes.State(limit_bytes=limit_bytes, **waiting.arrays(_slots(scenario, limit_bytes), 1))


def _sfq(scenario: Scenario, given: FairQueue) -> sfq.State:
    return sfq.State(
        limit_packets=given.buffer_packets,
        buckets=given.buckets,
        line_of=_lines(scenario, lambda source, destination: sfq.line_of(source, destination, given.buckets)),
        **turns.arrays(given.buffer_packets + 1, given.buckets),
    )


def _drr(scenario: Scenario, given: DeficitRoundRobin) -> drr.State:
    return drr.State(
        limit_bytes=given.buffer_bytes,
        quantum_bytes=given.quantum_bytes,
        line_of=_lines(scenario, lambda source, destination: drr.line_of(source, given.buckets)),
        **drr.arrays(_slots(scenario, given.buffer_bytes), given.buckets),
    )


def _red(scenario: Scenario, given: RandomEarlyDetection) -> red.State:
    unit = given.mean_packet_bytes if given.in_bytes else 1
    limit = given.buffer_packets * unit
    packets_per_s = given.rate_mbps * 1e6 / (8.0 * given.mean_packet_bytes)
    least = given.min_threshold_packets or max(5.0, given.target_delay_ms * 1e-3 * packets_per_s / 2.0)
    most = given.max_threshold_packets or 3.0 * least
    return red.State(
        limit=limit,
        least=least * unit,
        most=most * unit,
        weight=given.queue_weight or _red_weight(packets_per_s, given.delay_ms * 1e-3),
        probability=given.max_probability,
        gentle=given.gentle,
        waits=given.wait,
        in_bytes=given.in_bytes,
        marks=given.marks,
        mean_packet_bytes=given.mean_packet_bytes,
        packets_per_s=packets_per_s,
        **waiting.arrays(_slots(scenario, limit) + 1 if given.in_bytes else limit + 1, 1),
    )


def _red_weight(packets_per_s: float, delay_s: float) -> float:
    """ns-2's weight of a sample: the average follows the queue within ten round trips of at least 0.1 s."""
    rtt_s = max(0.1, 3.0 * (delay_s + 1.0 / packets_per_s))
    return 1.0 - exp(-1.0 / (10.0 * rtt_s * packets_per_s))


def _codel(given: ControlledDelay) -> codel.State:
    return codel.State(
        limit_packets=given.buffer_packets,
        target_s=given.target_ms * 1e-3,
        interval_s=given.interval_ms * 1e-3,
        max_packet_bytes=given.max_packet_bytes,
        marks=given.marks,
        **controlled_delay.arrays(given.buffer_packets + 1, 1),
    )


def _fq_codel(scenario: Scenario, given: FlowQueueControlledDelay) -> fq_codel.State:
    flows = len(scenario.flows)
    lines = min(given.queues, flows)  # the others would stay empty
    return fq_codel.State(
        limit_packets=given.buffer_packets,
        target_s=given.target_ms * 1e-3,
        interval_s=given.interval_ms * 1e-3,
        max_packet_bytes=given.max_packet_bytes,
        marks=given.marks,
        lines=lines,
        quantum_bytes=given.quantum_bytes,
        line_of=array("q", [waiting.FIRST_LINE + flow % lines for flow in range(flows)]),
        **fq_codel.arrays(given.buffer_packets + 1, lines),
    )


def _lines(scenario: Scenario, line_of: Callable[[int, int], int]) -> "array[int]":
    """Every flow's line, from the nodes that its packets come from and go to."""
    return array("q", [line_of(source, destination) for source, destination in addresses(scenario)])


def _slots(scenario: Scenario, limit_bytes: int) -> int:
    """The most packets that fit into so many bytes, and the one that arrives."""
    sizes = [
        min(segment_bytes(flow, scenario.profile)) if isinstance(flow, TcpFlow) else flow.packet_bytes
        for flow in scenario.flows
    ]
    return limit_bytes // min(sizes) + 1
