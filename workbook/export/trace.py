"""ns-2's trace format: one line per event in the row of bottlenecks, in both directions, as ns-2 writes it.

    + 0.1 0 1 tcp 40 ------- 1 0.0 1.0 0 0

event (+ enqueue, - dequeue, d drop, r receive), time in s, from node, to node, type, bytes, flags, flow,
source and destination address (node.agent: as if all senders stood on node 0 and all receivers on node 1),
sequence number, unique packet id.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import xarray as xr

from simcore.rules.sources.registry import SOURCES


def write_trace(ds: xr.Dataset, path: Path) -> None:
    """Write the run's trace to `path`. Raises OSError."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(trace_lines(ds))


def trace_lines(ds: xr.Dataset) -> Iterator[str]:
    """The lines of the run's trace, line ends included, in ns-2's order."""
    return map(
        "{} {:.15g} {} {}\n".format,
        map(ds["event_kind"].attrs["letters"].__getitem__, ds["event_kind"].values.tolist()),
        _to_the_microsecond(ds["event_s"].values).tolist(),
        map(_nodes, ds["event_link"].values.tolist()),
        map(_packet_columns(ds).__getitem__, ds["event_uid"].values.tolist()),
    )


def _nodes(link: int) -> str:
    """The routers at both ends of a link, that from which packets come first."""
    near, is_reverse = divmod(link, 2)
    return f"{near + 1} {near}" if is_reverse else f"{near} {near + 1}"


def _to_the_microsecond(times: np.ndarray) -> np.ndarray:
    """ns-2: trace.h, round(): floor(t * 1e6 + .5) / 1e6."""
    return np.floor(times * 1e6 + 0.5) / 1e6


def _packet_columns(ds: xr.Dataset) -> dict[int, str]:
    """What a packet's lines have in common, by uid: formatted once, as each packet is traced about three times."""
    sources = ds["flow_variant"].values.tolist()
    types = [SOURCES[source].packet_type if source in SOURCES else "tcp" for source in sources]
    data = zip(*(ds[f"packet_{name}"].values.tolist() for name in ("uid", "flow", "bytes", "seq")), strict=True)
    acks = zip(*(ds[f"ack_{name}"].values.tolist() for name in ("uid", "flow", "bytes", "number")), strict=True)
    columns = {
        uid: f"{types[flow - 1]} {size} ------- {flow} 0.{flow - 1} 1.{flow - 1} {seq} {uid}"
        for uid, flow, size, seq in data
    }
    columns.update(
        (uid, f"ack {size} ------- {flow} 1.{flow - 1} 0.{flow - 1} {number} {uid}") for uid, flow, size, number in acks
    )
    return columns
