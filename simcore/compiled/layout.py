"""The network as arrays of records, built from a scenario: what the compiled loop works on."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simcore import links
from simcore import scenario as sc
from simcore.compiled import tournament
from simcore.compiled.records import has_extras, record_of_queue, records_of_states
from simcore.log import Recording, Route
from simcore.rules.acknowledgement import MOST_BLOCKS
from simcore.setup import REVERSE_BUFFER_PACKETS, segment_bytes

Array = npt.NDArray[Any]

END_OF_PATH: Final = -1
ROWS_A_PACKET: Final = 4  # the most that one packet adds to a table of the log within one event

# Aligned, because a field that straddles two cache lines costs more than the padding.
RUN = np.dtype(
    [("now", "f8"), ("end_s", "f8"), ("id", "i8"), ("uid", "i8"), ("event", "i8"), ("update", "i8"), ("burst", "i8"),
     ("spare_events", "i8"), ("window_interval_s", "f8"), ("recording", "?"), ("crowded", "?")],
    align=True,
)  # fmt: skip
PORT = np.dtype(
    [("rate_bps", "f8"), ("delay_s", "f8"), ("limit", "i8"), ("idle", "?"), ("start", "i8"), ("mask", "i8"),
     ("arrived", "i8"), ("taken", "i8"), ("offered", "i8"), ("last_bytes", "i8"), ("last_transmission_s", "f8")],
    align=True,
)  # fmt: skip
PACKET = np.dtype(
    [("arrival_s", "f8"), ("arrival_id", "i8"), ("uid", "i8"), ("seq", "i8"), ("flow", "i4"), ("bytes", "i4"),
     ("hop", "i2"), ("is_ack", "?")]
)  # fmt: skip
SELECTIVE_ACK = np.dtype([*PACKET.descr, ("block_count", "i8"), ("blocks", "i8", (2 * MOST_BLOCKS,))])
FLOW = np.dtype(
    [("is_tcp", "?"), ("data_bytes", "i4"), ("syn_bytes", "i4"), ("ack_bytes", "i4"), ("start_s", "f8"),
     ("stop_s", "f8"), ("is_running", "?"), ("next_seq", "i8"), ("deadline_s", "f8"), ("deadline_id", "i8"),
     ("sent", "i8"), ("dropped", "i8"), ("marked", "i8"), ("received", "i8"), ("received_bytes", "i8"),
     ("retransmitted", "i8"), ("fast_retransmits", "i8"), ("timeouts", "i8"), ("last_kept_s", "f8")],
    align=True,
)  # fmt: skip

LOGGED_PACKET = np.dtype([("flow", "i4"), ("bytes", "i4"), ("seq", "i8"), ("is_ack", "?"), ("repeated", "?")])
LOGGED_EVENT = np.dtype([("s", "f8"), ("uid", "i8"), ("link", "u2"), ("kind", "u1")])
LOGGED_UPDATE = np.dtype(
    [("s", "f8"), ("cwnd", "f8"), ("ssthresh", "f8"), ("rto_s", "f8"), ("inflation", "i8"), ("flow", "i4"),
     ("cause", "u1")]
)  # fmt: skip


class World(NamedTuple):
    """Everything that the loop reads and writes. Flows and ports count from 0; path 2f is f's way out, 2f+1 back."""

    run: Array  # one record
    ports: Array
    ring: Array  # the packets in and behind every port, each port in a part of its own
    flows: Array
    tcp: Array
    sinks: Array
    sources: Array
    stream: Array  # one record
    queue: Array  # one record: the discipline of the bottleneck's queue, if it is not plain drop-tail
    standing: Array  # the packets that wait for that discipline, by slot
    paths: Array  # (2 * flows, hops): ports, END_OF_PATH behind the last
    link_leaves: Array  # two events a port: 2p transmitter free, 2p+1 arrival at the far end
    link_winner: Array
    host_leaves: Array  # three events a flow: see `simcore.compiled.hosts`
    host_winner: Array
    packets: Array  # the log
    events: Array
    updates: Array


def world_of(scenario: sc.Scenario, recording: Recording) -> World:
    """The world at t = 0; nothing is scheduled yet."""
    ports, routes = _ports_and_routes(scenario)
    burst = max((f.window_packets for f in scenario.flows if isinstance(f, sc.TcpFlow)), default=1) + 8
    queue, slots = record_of_queue(scenario)
    tcp, sinks, sources, stream = records_of_states(scenario, disciplined=slots > 0)
    packet = SELECTIVE_ACK if "blocks" in (tcp.dtype.names or ()) else PACKET
    if has_extras(scenario):
        packet = np.dtype([*packet.descr, ("ecn", "i8")])
    records, ring = _with_rings(ports, burst, packet)
    timers = 4 if has_extras(scenario) else 3
    link_leaves, host_leaves = tournament.leaves_for(2 * len(ports)), tournament.leaves_for(timers * len(routes))
    run = np.zeros(1, RUN)
    run["end_s"] = scenario.end_s
    run["recording"], run["window_interval_s"] = recording
    run["burst"] = burst
    run["spare_events"] = ROWS_A_PACKET * burst + slots  # a discipline may drop all that wait
    rows = 4 * (ROWS_A_PACKET * burst + slots)
    return World(
        run, records, ring, _flows(scenario), tcp, sinks, sources, stream,
        queue, np.zeros(max(1, slots), packet), _paths(routes),
        link_leaves, tournament.winners_for(link_leaves), host_leaves, tournament.winners_for(host_leaves),
        np.zeros(rows, LOGGED_PACKET), np.zeros(rows, LOGGED_EVENT), np.zeros(rows, LOGGED_UPDATE),
    )  # fmt: skip


def routes_of(world: World) -> dict[int, Route]:
    """The links that each flow passes; flows count from 1 here, as in a log."""
    paths = [[int(port) for port in path if port != END_OF_PATH] for path in world.paths]
    return {number: Route(*paths[2 * number - 2 : 2 * number]) for number in range(1, len(world.flows) + 1)}


def _ports_and_routes(scenario: sc.Scenario) -> tuple[list[tuple[links.Line, int]], list[Route]]:
    """The ports as (link, buffer), numbered as in the process model, and each flow's way through them."""
    bottleneck = scenario.bottleneck
    packets = bottleneck.buffer_packets if isinstance(bottleneck, links.DropTail) else None
    ports: list[tuple[links.Line, int]] = [(bottleneck, packets or 0), (bottleneck, REVERSE_BUFFER_PACKETS)]

    def pair(link: links.Link | None) -> tuple[list[int], list[int]]:
        if link is None:
            return [], []
        ports.extend([(link, link.buffer_packets)] * 2)
        return [len(ports) - 2], [len(ports) - 1]

    routes = []
    for flow in scenario.flows:
        (access, access_back), (exit_, exit_back) = pair(flow.access), pair(flow.exit)
        routes.append(Route([*access, 0, *exit_], [*exit_back, 1, *access_back]))
    return ports, routes


def _with_rings(ports: Sequence[tuple[links.Line, int]], burst: int, packet: np.dtype[Any]) -> tuple[Array, Array]:
    records, length = np.zeros(len(ports), PORT), 1 << (2 * burst).bit_length()
    for i, (link, limit) in enumerate(ports):
        records[i] = (link.rate_mbps * 1e6, link.delay_ms * 1e-3, limit, True, i * length, length - 1, 0, 0, 0, 0, 0)
    return records, np.zeros(len(ports) * length, packet)


def _flows(scenario: sc.Scenario) -> Array:
    records, profile = np.zeros(len(scenario.flows), FLOW), scenario.profile
    records["last_kept_s"] = -np.inf
    for record, flow in zip(records, scenario.flows, strict=True):
        record["start_s"], record["stop_s"], record["data_bytes"] = flow.start_s, flow.stop_s, flow.packet_bytes
        if isinstance(flow, sc.TcpFlow):
            record["is_tcp"], record["deadline_s"] = True, tournament.NEVER
            record["data_bytes"], record["syn_bytes"] = segment_bytes(flow, profile)
            record["ack_bytes"] = profile.ack_bytes
    return records


def _paths(routes: Sequence[Route]) -> Array:
    ways = [way for route in routes for way in route]
    paths = np.full((len(ways), max(map(len, ways)) + 1), END_OF_PATH, np.int64)
    for path, way in zip(paths, ways, strict=True):
        path[: len(way)] = way
    return paths
