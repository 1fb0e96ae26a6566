"""Several routers in a row: a parking lot is what ns-2 makes of it, on every link."""

from pathlib import Path

import numpy as np
import pytest

from simcore import MODELS, Scenario, ScenarioError, load_scenario, simulate
from simcore.network.topology import topology_of
from simcore.results.log import DROPPED
from tests.goldens import GOLDEN, first_difference, trace_lines
from tests.simcore.scenes import bottleneck, scene, tcp_flow, udp_flow
from workbook.export import trace

OWN = {"rate_mbps": 10, "delay_ms": 1, "buffer_packets": 50}


def links_lines(scenario: Scenario, engine: str) -> dict[int, list[str]]:
    """Our trace in the golden columns, by link of the row."""
    rows = [line.split() for line in trace.trace_lines(simulate(scenario, engine))]
    return {
        k: [" ".join([*r[:2], *r[4:6], r[7], *r[10:]]) for r in rows if r[2:4] == [str(k), str(k + 1)]]
        for k in range(len(scenario.row()))
    }


@pytest.mark.parametrize("engine", list(MODELS))
@pytest.mark.parametrize("path", sorted((GOLDEN / "rows").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_link_of_a_row_comes_out_line_for_line(path: Path, engine: str) -> None:
    """Two and three links, each with flows of its own; another queue on every link; a narrow way back for ACKs."""
    ours = links_lines(load_scenario(path), engine)
    for k, lines in ours.items():
        golden = trace_lines(path.with_name(f"{path.stem}.{k}.trace.xz"), with_nodes=False)
        assert first_difference(lines, golden) == ""


def test_a_flow_passes_the_links_between_where_it_enters_and_where_it_leaves() -> None:
    row = [bottleneck(), bottleneck(), bottleneck()]
    flows = [tcp_flow(access=OWN, exit=OWN), tcp_flow(enters=1, leaves=2), tcp_flow(leaves=1), udp_flow(enters=2)]
    routes = topology_of(scene(*flows, bottleneck=row[0], onward=row[1:])).routes
    assert [list(route.out) for route in routes] == [[6, 0, 2, 4, 8], [2], [0], [4]]
    assert [list(route.back) for route in routes] == [[9, 5, 3, 1, 7], [3], [1], [5]]
    assert [(route.entry, route.leaving) for route in routes] == [(0, 4), (2, 2), (0, 0), (4, 4)]


@pytest.mark.parametrize("engine", list(MODELS))
def test_a_packet_lost_on_the_second_link_counts_for_its_flow(engine: str) -> None:
    """The second link is half as fast: everything is dropped there, and the flow's totals say so."""
    narrow = bottleneck(rate_mbps=1, buffer_packets=5)
    flows = [udp_flow(rate_mbps=1.9), tcp_flow(leaves=1, variant="sack")]
    run = simulate(scene(*flows, onward=[narrow]), engine)
    drops = run["event_link"].values[run["event_kind"].values == DROPPED]
    assert (drops == 2).sum() > 0
    assert run["dropped"].sum() == len(drops)
    lost = run["packet_dropped"].values & (run["packet_flow"].values == 1)
    assert lost.sum() == run["dropped"].values[0]
    assert np.isnan(run["packet_received_s"].values[lost]).all()
    assert (run["sent"] == run["received"] + run["dropped"] + run["in_flight"]).all()


def test_the_way_back_may_be_a_link_of_its_own() -> None:
    """1000 bytes at 2 Mb/s and 10 ms, then an ACK of 40 bytes at 8 kb/s and 100 ms."""
    back = {"rate_mbps": 0.008, "delay_ms": 100, "buffer_packets": 10}
    run = simulate(scene(tcp_flow(packet_bytes=960), profile="ns-2.35", bottleneck=bottleneck(back=back)))
    took = run["ack_received_s"].values[0] - run["ack_sent_s"].values[0]
    assert took == pytest.approx(0.040 + 0.100, abs=1e-12)  # a difference of two times
    assert run["ack_dropped"].values.sum() > 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"leaves": 3}, "flows.0.leaves: 3 is not allowed; must be at most 2, the last router"),
        ({"enters": 2}, "flows.0.enters: 2 is not allowed; must be less than 2, where it leaves"),
        ({"enters": 1, "leaves": 1}, "flows.0.enters: 1 is not allowed; must be less than 1, where it leaves"),
        ({"host": 1}, "flows.0.host: 1 is not allowed; must be at most 0, the number of hosts"),
        ({"host": 1, "access": OWN}, "flows.0.host: 1 is not allowed beside access; must be one of them"),
    ],
)
def test_a_flow_that_would_lead_nowhere_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        scene(tcp_flow(**changes), onward=[bottleneck()])
    assert str(refused.value) == message


def test_a_host_is_plugged_in_at_one_router() -> None:
    """It obeys the PAUSE frames of one queue; which one would it be?"""
    interface = {"rate_mbps": 10, "delay_ms": 1, "queue_packets": 50}
    network = {"onward": [bottleneck()], "hosts": [interface]}
    scene(tcp_flow(host=1, enters=1), tcp_flow(enters=0), udp_flow(host=1, enters=1), **network)
    with pytest.raises(ScenarioError) as refused:
        scene(tcp_flow(host=1), udp_flow(host=1, enters=1), **network)
    assert str(refused.value) == ("flows.1.enters: 1 is not allowed; must be 0, where the flows before it leave host 1")


def test_a_mistake_in_a_link_of_the_row_is_placed() -> None:
    with pytest.raises(ScenarioError) as refused:
        scene(onward=[bottleneck(), bottleneck(rate_mbps=-1)])
    assert str(refused.value) == "onward.1.rate_mbps: -1 is not allowed; must be greater than 0"
    with pytest.raises(
        ScenarioError, match=r"^onward\.0\.buckets: unknown key, given 3; allowed here: rate_mbps, delay"
    ):
        scene(onward=[bottleneck(buckets=3)])
