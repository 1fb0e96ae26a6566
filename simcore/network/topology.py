"""The network of a scenario as every engine builds it: ports with one direction of a link behind each, and routes.

Routers stand in a row, the bottleneck between the first two. Without a link of its own a flow's sender stands at the
router where it enters the row and its receiver at the router where it leaves: two nodes, as in the tutorial studies.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from simcore.network.queues import Queue, queues_of
from simcore.results.log import Route
from simcore.rules.queues import droptail
from simcore.scenario import links
from simcore.scenario.flows import Flow
from simcore.scenario.scenario import Scenario

REVERSE_BUFFER_PACKETS: Final = 50  # ns-2's default queue-limit; a limit is set for one direction, the other keeps it
NEVER_FULL: Final = 1 << 62  # packets: of the way back to a host


class Port(NamedTuple):
    """A queue, a transmitter and one direction of a link. What it doesn't have is 0 or None."""

    rate_bps: float
    delay_s: float
    limit: int = 0  # packets, of a drop-tail queue; see `simcore.rules.queues.droptail`
    queue: Queue | None = None  # instead of drop-tail in packets
    gap_s: float = 0.0  # least time between the beginnings of two transmissions
    high: int = 0  # packets waiting at which the transmitters that feed this port must pause
    low: int = 0  # at which they may go on
    when_full: links.WhenFull = "drop"


class Topology(NamedTuple):
    """Ports by their numbers, which are also those of their links, and the flows' routes through them.

    Link k of the row, counted from 0, has the numbers 2k and, on the way back, 2k + 1.
    """

    ports: Sequence[Port]
    routes: Sequence[Route]

    def feeders(self) -> dict[int, list[int]]:
        """Port -> those whose packets go on to it, in the order of their numbers: whom its PAUSE frames stop."""
        pairs = {pair for route in self.routes for way in route.ways() for pair in pairwise(way)}
        fed: dict[int, list[int]] = {}
        for feeder, port in sorted(pairs):
            if self.ports[port].high:
                fed.setdefault(port, []).append(feeder)
        return fed


def topology_of(scenario: Scenario) -> Topology:
    """The ports and routes of a scenario: the row, then the hosts, then the flows' own links in their order."""
    ports: list[Port] = []
    for link, queue in zip(scenario.row(), queues_of(scenario), strict=True):
        ports += _row_pair(link, queue)
    first_host = len(ports)
    for host in scenario.hosts:
        ports += _host_pair(host)
    routes = []
    for flow in scenario.flows:
        before: list[int] = []
        if flow.host is not None:
            before = [first_host + 2 * (flow.host - 1)]
        elif flow.access is not None:
            before = [_added(ports, flow.access)]
        after = [] if flow.exit is None else [_added(ports, flow.exit)]
        routes.append(_route(scenario, flow, before, after))
    return Topology(ports, routes)


def _route(scenario: Scenario, flow: Flow, before: list[int], after: list[int]) -> Route:
    row = [2 * k for k in range(*scenario.routers(flow))]
    out = [*before, *row, *after]
    return Route(out, [port + 1 for port in reversed(out)], entry=row[0], leaving=row[-1])


def _row_pair(link: links.RowLink, queue: Queue | None) -> list[Port]:
    forward = _port(link, 0)._replace(queue=queue)
    if isinstance(link, droptail.Settings):
        pause = link.pause
        forward = forward._replace(limit=link.buffer_packets or 0)
        if pause is not None:
            forward = forward._replace(high=pause.high_packets, low=pause.low_packets)
    back = _port(link, REVERSE_BUFFER_PACKETS) if link.back is None else _port(link.back, link.back.buffer_packets)
    return [forward, back]


def _host_pair(host: links.Host) -> list[Port]:
    limit = host.queue_packets + 1  # drop-tail counts the packet in transmission, a host's queue doesn't
    out = _port(host, limit)._replace(gap_s=host.gap_us * 1e-6, when_full=host.when_full)
    return [out, _port(host, NEVER_FULL)]


def _added(ports: list[Port], link: links.Link) -> int:
    ports += [_port(link, link.buffer_packets)] * 2
    return len(ports) - 2


def _port(link: links.Line, limit: int) -> Port:
    return Port(link.rate_mbps * 1e6, link.delay_ms * 1e-3, limit)
