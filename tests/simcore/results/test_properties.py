"""Invariants of every run, whatever its TCPs, links and sizes.

Here the process model runs. The compiled loop gives the same Dataset for such scenarios, bit for bit: see
`tests/test_engines.py`. Conservation is an invariant too: `simulate` itself checks it at the end of each run, and
raises if it is broken. A run is made once, and held to all of them.
"""

from collections.abc import Callable

import numpy as np
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st

from simcore import Scenario, simulate
from simcore.network.topology import REVERSE_BUFFER_PACKETS
from simcore.results.dataset import causes
from simcore.results.invariants import SENDER_INVARIANTS, happened, of_flow
from simcore.results.log import DEQUEUED, DROPPED, ENQUEUED, EVENT_LETTERS, FORWARD, RECEIVED, REVERSE
from tests.examples import examples
from tests.strategies import plain_bottlenecks, scenarios

many = examples(100)
Invariant = Callable[[Scenario, xr.Dataset], None]
INVARIANTS: list[Invariant] = []
DIRECTIONS = {FORWARD: "packet", REVERSE: "ack"}


def on_purpose(dataset: xr.Dataset, scenario: Scenario, what: str) -> set[int]:
    """The packets that a list of numbers names, or all of the flows that have a probability of loss."""
    came = dataset["event_uid"].values[(dataset["event_kind"] == ENQUEUED) & (dataset["event_link"] == FORWARD)]
    flow_of = dict(zip(dataset["packet_uid"].values, dataset["packet_flow"].values, strict=True))
    chosen: set[int] = set()
    for number, flow in enumerate(scenario.flows, start=1):
        given, own = getattr(flow, what), [uid for uid in came if flow_of[uid] == number]
        chosen |= set(own) if isinstance(given, float) else {own[k - 1] for k in given or () if k <= len(own)}
    return chosen


def invariant(holds: Invariant) -> Invariant:
    """Asserted of every run."""
    INVARIANTS.append(holds)
    return holds


# The bottleneck


@many
@given(scenario=scenarios())
def test_the_trace_tells_events_in_order_of_time_and_ends_before_the_end(scenario: Scenario) -> None:
    when = simulate(scenario)["event_s"].values
    assert (np.diff(when) >= 0).all()
    assert (when < scenario.end_s).all()


@invariant
def a_packet_is_offered_then_dropped_or_sent_then_received_each_at_most_once(
    scenario: Scenario, dataset: xr.Dataset
) -> None:
    fates: dict[tuple[int, int], str] = {}
    for kind, uid, link in zip(*(dataset[f"event_{name}"].values for name in ("kind", "uid", "link")), strict=True):
        fates[link, uid] = fates.get((link, uid), "") + EVENT_LETTERS[kind]
    assert set(fates.values()) <= {"+", "+d", "+-", "+-r"}


@invariant
def a_queue_never_holds_more_than_its_buffer(scenario: Scenario, dataset: xr.Dataset) -> None:
    size = dict(zip(dataset["packet_uid"].values, dataset["packet_bytes"].values, strict=True))
    waiting: set[int] = set()
    spared = sum(len(flow.spared_packets or ()) for flow in scenario.flows)
    kinds, uids = dataset["event_kind"].values, dataset["event_uid"].values
    forward = dataset["event_link"].values == FORWARD
    events = list(zip(kinds[forward], uids[forward], strict=True))
    for (kind, uid), (following, _) in zip(events, [*events[1:], (RECEIVED, 0)], strict=False):
        if kind == ENQUEUED:
            waiting.add(uid)
        elif kind != RECEIVED:
            waiting.remove(uid)
        if following != DROPPED:
            in_bytes = getattr(scenario.bottleneck, "in_bytes", False)  # a buffer of packets of mean size
            buffer = getattr(scenario.bottleneck, "buffer_packets", None) or len(waiting)
            assert in_bytes or len(waiting) <= buffer + spared
            held = sum(size[uid] for uid in waiting)
            assert held <= (getattr(scenario.bottleneck, "buffer_bytes", None) or held)
    assert len(waiting) == dataset["change_queue_packets"].values[-1:].sum()


@invariant
def a_flows_packets_leave_in_the_order_in_which_they_came(scenario: Scenario, dataset: xr.Dataset) -> None:
    for flow in dataset["flow"].values:
        packets = of_flow(dataset, "packet", flow)
        sent = packets.sortby("packet_enqueued_s")["packet_dequeued_s"]
        assert (np.diff(happened(sent)) >= 0).all()


@many
@given(scenario=scenarios(plain_bottlenecks()))
def test_drop_tail_refuses_a_packet_exactly_when_it_is_full_and_serves_the_others_in_order(
    scenario: Scenario,
) -> None:
    """The obvious drop-tail queue, told of every event of the trace, and of what is lost or spared on purpose."""
    dataset = simulate(scenario)
    limits = {FORWARD: scenario.to_mapping()["bottleneck"]["buffer_packets"], REVERSE: REVERSE_BUFFER_PACKETS}
    waiting: dict[int, list[int]] = {FORWARD: [], REVERSE: []}
    travelling: dict[int, list[int]] = {FORWARD: [], REVERSE: []}
    lost, spared = (on_purpose(dataset, scenario, name) for name in ("lost_packets", "spared_packets"))
    perhaps_lost = on_purpose(dataset, scenario, "loss_probability")
    must_go = None
    for kind, uid, link in zip(*(dataset[f"event_{name}"].values for name in ("kind", "uid", "link")), strict=True):
        if kind == DROPPED:
            assert waiting[link].pop() == uid
            assert must_go == uid or uid in perhaps_lost
            must_go = None
            continue
        assert must_go is None
        if kind == ENQUEUED:
            is_full = len(waiting[link]) >= limits[link] - 1
            must_go = uid if uid in lost or (is_full and uid not in spared) else None
            waiting[link].append(uid)
        elif kind == DEQUEUED:
            assert waiting[link].pop(0) == uid
            travelling[link].append(uid)
        else:
            assert kind == RECEIVED
            assert travelling[link].pop(0) == uid


@invariant
def transmissions_begin_as_soon_as_they_can_and_packets_arrive_when_they_must(
    scenario: Scenario, dataset: xr.Dataset
) -> None:
    """Lindley's recursion: a packet is sent when it comes or when its predecessor is out, to the last bit."""
    rate_bps, delay_s = scenario.bottleneck.rate_mbps * 1e6, scenario.bottleneck.delay_ms * 1e-3
    for table in DIRECTIONS.values():
        times = [dataset[f"{table}_{name}"].values for name in ("enqueued_s", "dequeued_s", "received_s", "bytes")]
        order = np.argsort(times[1], kind="stable")
        free_s = 0.0
        for enqueued_s, dequeued_s, received_s, size in zip(*(column[order] for column in times), strict=True):
            if np.isnan(dequeued_s):
                break
            assert dequeued_s == max(enqueued_s, free_s)
            free_s = dequeued_s + 8.0 * size / rate_bps
            assert np.isnan(received_s) or received_s == dequeued_s + (8.0 * size / rate_bps + delay_s)
            assert not np.isnan(received_s) or dequeued_s + (8.0 * size / rate_bps + delay_s) >= scenario.end_s


@invariant
def every_packet_of_the_totals_has_one_fate(scenario: Scenario, dataset: xr.Dataset) -> None:
    assert dataset["sent"].equals(dataset["dropped"] + dataset["received"] + dataset["in_flight"])


# Receivers


@invariant
def each_ack_names_all_that_has_arrived_in_order_and_none_names_less_than_the_one_before(
    scenario: Scenario, dataset: xr.Dataset
) -> None:
    for number, flow in enumerate(scenario.flows, start=1):
        packets, acks = of_flow(dataset, "packet", number), of_flow(dataset, "ack", number)
        came = ~np.isnan(packets["packet_arrived_s"].values)  # in order of sending: every link keeps it
        in_order, seen, next_expected = [-1], set(), 0
        for seq in packets["packet_seq"].values[came]:
            seen.add(seq)
            while next_expected in seen:
                next_expected += 1
            in_order.append(next_expected - 1)
        arrived_s, acked_s = packets["packet_arrived_s"].values[came], acks["ack_sent_s"].values
        # A delayed ACK's timer may ring just before a segment arrives, at the same instant.
        least, most = (np.array(in_order)[np.searchsorted(arrived_s, acked_s, side)] for side in ("left", "right"))
        assert ((least <= acks["ack_number"].values) & (acks["ack_number"].values <= most)).all()
        assert (np.diff(acks["ack_number"].values) >= 0).all()
        if flow.kind == "tcp" and flow.sink == "immediate":
            assert acks.sizes["ack"] == came.sum()
        else:
            assert acks.sizes["ack"] <= came.sum()


# Senders


@invariant
def a_tcp_sender_obeys_the_invariants_of_senders(scenario: Scenario, dataset: xr.Dataset) -> None:
    for obey in SENDER_INVARIANTS:
        obey(dataset, scenario)


@invariant
def a_flow_sends_nothing_before_its_start_and_nothing_new_after_its_stop(
    scenario: Scenario, dataset: xr.Dataset
) -> None:
    repairs = dataset["update_s"].values[causes(dataset).values == "fast_retransmit"]
    for number, flow in enumerate(scenario.flows, start=1):
        packets = of_flow(dataset, "packet", number)
        new = packets["packet_sent_s"].values[~packets["packet_retransmission"].values]
        assert (new >= flow.start_s).all()
        if flow.kind == "tcp":
            assert (new[:1] <= flow.start_s + (flow.send_jitter_ms or 0.0) / 1e3).all()
        elif flow.source == "cbr":
            assert new[0] == flow.start_s
        # ns-2: a fast retransmit does not ask the application; see test_tcp.
        assert np.isin(new[new >= flow.stop_s], repairs).all()


@invariant
def only_packets_that_may_be_marked_are_marked_by_a_queue_that_marks_and_none_of_them_is_dropped(
    scenario: Scenario, dataset: xr.Dataset
) -> None:
    marked = dataset["packet_marked"].values
    flows = dataset["packet_flow"].values[marked]
    assert np.bincount(flows, minlength=len(scenario.flows) + 1)[1:].tolist() == dataset["marked"].values.tolist()
    assert all(getattr(scenario.flows[flow - 1], "ecn", None) for flow in flows)
    assert getattr(scenario.bottleneck, "marks", False) or not marked.any()
    assert not (dataset["packet_dropped"].values & marked).any()
    assert (dataset["packet_seq"].values[marked] > 0).all(), "a SYN may not be marked"


# Runs


@many
@given(scenario=scenarios(), part=st.floats(0.3, 1, exclude_min=True))
def test_a_run_keeps_every_invariant_and_begins_as_a_shorter_one_does(scenario: Scenario, part: float) -> None:
    latest = max(flow.start_s for flow in scenario.flows)  # a scenario ends after all have started
    shorter = scenario.model_copy(update={"end_s": latest + part * (scenario.end_s - latest)})
    whole, beginning = simulate(scenario), simulate(shorter)
    for holds in INVARIANTS:
        holds(scenario, whole)
    count = int((whole["event_s"] < shorter.end_s).sum())
    for name in ("event_s", "event_kind", "event_uid", "event_link"):
        assert np.array_equal(beginning[name].values, whole[name].values[:count])
