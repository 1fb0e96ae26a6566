"""The order in which ns-2 resets its senders: that of Tcl's `array names` over the nodes."""

import pytest

from simcore.network.reset_order import array_names, reset_order
from tests.simcore.scenes import scene, tcp_flow, udp_flow

# What Tcl 8.6 lists for an array with the elements 0, 1, 2, ...
LISTED = [
    "0 1 2 3",
    "8 4 0 10 9 5 1 6 2 7 3",  # before the table grows
    "0 1 2 3 4 5 6 7 8 9 10 11",  # and after
    "35 36 37 38 39 40 41 42 43 44 45 46 47 48 50 49 51 52 53 54 55 56 57 58 59 10 11 12 13 14 15 16 0 17 1 18 2 19 20 "
    "3 21 4 22 5 23 6 24 7 25 8 26 9 27 28 29 30 31 32 33 34",
]
LINK = {"rate_mbps": 10, "delay_ms": 1, "buffer_packets": 100}


@pytest.mark.parametrize("listed", LISTED, ids=lambda listed: f"{len(listed.split())} names")
def test_names_come_in_tcls_order(listed: str) -> None:
    names = listed.split()
    assert array_names(map(str, range(len(names)))) == names


def test_senders_on_one_node_come_in_the_order_of_the_flows() -> None:
    assert reset_order(scene(tcp_flow(), udp_flow(), tcp_flow())) == [0, 1, 2]


def test_a_dumbbells_senders_come_in_the_order_of_their_nodes() -> None:
    """Nodes 0 and 1 are the routers, then each flow has two: senders on 2, 4, 6, 8; Tcl lists 8 4 0 9 5 1 6 2 7 3."""
    flow = tcp_flow(access=LINK, exit=LINK)
    assert reset_order(scene(flow, flow, flow, flow)) == [3, 1, 2, 0]


def test_a_flow_without_links_of_its_own_sends_from_the_bottlenecks_end() -> None:
    """Nodes: routers 0 and 1, sender 2 and receiver 3 of the second flow, receiver 4 of the third: 4 0 1 2 3."""
    flows = tcp_flow(), tcp_flow(access=LINK, exit=LINK), tcp_flow(exit=LINK)
    assert reset_order(scene(*flows)) == [0, 2, 1]
