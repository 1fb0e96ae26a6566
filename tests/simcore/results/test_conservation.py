"""Conservation finds faults that are planted, and says which; a good run passes."""

import numpy as np
import pytest

from simcore import process
from simcore.results.conservation import ConservationError, check
from simcore.results.log import DROPPED, ENQUEUED, EVERYTHING, FORWARD, RECEIVED, REVERSE, Log, Outcome
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow


@pytest.fixture
def run() -> Outcome:
    """Three flows at a short queue, with drops of each, ended in the middle of things."""
    flows = tcp_flow(), tcp_flow(), udp_flow(rate_mbps=1.5)
    return process.run(scene(*flows, bottleneck=bottleneck(buffer_packets=5), end_s=0.25), EVERYTHING, None)


def first(log: Log, kind: int, link: int, flow: int) -> int:
    """Where in the trace this happens first."""
    events = zip(log.event_kind, log.event_link, log.event_uid, strict=True)
    return next(i for i, (k, n, uid) in enumerate(events) if (k, n, log.packet_flow[uid]) == (kind, link, flow))


EVENT_COLUMNS = ("event_s", "event_kind", "event_uid", "event_link")


def forget(log: Log, event: int) -> None:
    for name in EVENT_COLUMNS:
        setattr(log, name, np.delete(getattr(log, name), event))


def repeat(log: Log, event: int) -> None:
    for name in EVENT_COLUMNS:
        column = getattr(log, name)
        setattr(log, name, np.append(column, column[event]))


def test_a_good_run_passes_and_has_packets_of_every_fate(run: Outcome) -> None:
    check(run)
    assert {ENQUEUED, DROPPED, RECEIVED} <= set(run.log.event_kind)
    assert run.remaining[FORWARD]
    assert run.remaining[REVERSE]


@pytest.mark.parametrize(
    ("kind", "link", "flow", "missing"),
    [
        (RECEIVED, FORWARD, 1, 1),
        (RECEIVED, REVERSE, 2, 1),
        (RECEIVED, FORWARD, 3, 1),
        (DROPPED, FORWARD, 3, 1),
        (ENQUEUED, FORWARD, 2, -1),
    ],
)
def test_an_event_that_is_missing_is_found(run: Outcome, kind: int, link: int, flow: int, missing: int) -> None:
    forget(run.log, first(run.log, kind, link, flow))
    with pytest.raises(ConservationError, match=rf"^link {link}, flow {flow}: .*; {missing} are unaccounted for$"):
        check(run)


@pytest.mark.parametrize(("kind", "missing"), [(RECEIVED, -1), (DROPPED, -1), (ENQUEUED, 1)])
def test_a_packet_twice_is_found(run: Outcome, kind: int, missing: int) -> None:
    repeat(run.log, first(run.log, kind, FORWARD, 3))
    with pytest.raises(ConservationError, match=rf"^link 0, flow 3: .*; {missing} are unaccounted for$"):
        check(run)


def test_a_packet_that_vanishes_on_its_way_is_found_and_counted_out() -> None:
    run = process.run(scene(udp_flow(rate_mbps=1), end_s=0.13), EVERYTHING, None)  # sent at 100, 108, 116, 124 ms
    counts = "4 packets enqueued, 2 received, 0 dropped and 1 on their way; 1 are unaccounted for"
    with pytest.raises(ConservationError, match=rf"^link 0, flow 1: {counts}$"):
        check(run._replace(remaining={**run.remaining, FORWARD: run.remaining[FORWARD][1:]}))


def test_one_flows_packet_is_not_made_up_for_by_anothers(run: Outcome) -> None:
    run.log.event_uid[first(run.log, RECEIVED, FORWARD, 1)] = run.log.event_uid[first(run.log, RECEIVED, FORWARD, 2)]
    with pytest.raises(ConservationError, match=r"^link 0, flow 1: .*; 1 are unaccounted for$"):
        check(run)


def test_a_packet_on_one_link_is_not_made_up_for_by_one_on_the_other(run: Outcome) -> None:
    run.log.event_link[first(run.log, RECEIVED, REVERSE, 1)] = FORWARD
    with pytest.raises(ConservationError, match=r"^link 0, flow 1: .*; -1 are unaccounted for$"):
        check(run)


def test_an_engine_that_miscounts_is_found_even_without_a_log(run: Outcome) -> None:
    lost = run.totals["received"] - np.array([0, 1, 0])
    with pytest.raises(ConservationError, match=r"^the bottleneck, flow 2: .*; 1 are unaccounted for$"):
        check(run._replace(totals={**run.totals, "received": lost}))
