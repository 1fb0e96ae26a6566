"""What the stories of these tests are played with: small scenarios, and traces to read them from."""

import numpy as np
import xarray as xr

from simcore import Scenario, scenario_from
from simcore.results.log import EVENT_LETTERS, FORWARD


def tcp_flow(**changes: object) -> dict[str, object]:
    """A TCP flow as a file has it."""
    usual = {"kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0.1, "stop_s": 10}
    return usual | changes


def udp_flow(**changes: object) -> dict[str, object]:
    """A UDP flow as a file has it."""
    usual = {"kind": "udp", "source": "cbr", "packet_bytes": 1000, "rate_mbps": 0.95, "start_s": 0.1, "stop_s": 10}
    return usual | changes


def bottleneck(**changes: object) -> dict[str, object]:
    """At 2 Mb/s a packet of 1000 bytes takes 4 ms, and the link another 10 ms."""
    return {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20} | changes


def mapping(*flows: dict[str, object], **changes: object) -> dict[str, object]:
    """A scenario as a file has it; the usual flows are those of the study of TCP with UDP."""
    given = list(flows) or [tcp_flow(), udp_flow()]
    return {"profile": "ns-2.27", "end_s": 10.5, "bottleneck": bottleneck(), "flows": given} | changes


def scene(*flows: dict[str, object], **changes: object) -> Scenario:
    """The scenario of `mapping`."""
    return scenario_from(mapping(*flows, **changes))


def trace(dataset: xr.Dataset) -> list[str]:
    """What happened, a line an event: letter, milliseconds, flow, `data` or `ack`, sequence number."""
    seq = dict(zip(dataset["packet_uid"].values, dataset["packet_seq"].values, strict=True))
    seq |= dict(zip(dataset["ack_uid"].values, dataset["ack_number"].values, strict=True))
    flow = dict(zip(dataset["packet_uid"].values, dataset["packet_flow"].values, strict=True))
    flow |= dict(zip(dataset["ack_uid"].values, dataset["ack_flow"].values, strict=True))
    columns = (dataset[f"event_{name}"].values for name in ("kind", "s", "uid", "link"))
    return [
        f"{EVENT_LETTERS[kind]} {1000 * s:.2f} flow {flow[uid]} {'data' if link == FORWARD else 'ack'} {seq[uid]}"
        for kind, s, uid, link in zip(*columns, strict=True)
    ]


def sent_at(dataset: xr.Dataset, flow: int = 1) -> list[tuple[float, int]]:
    """When a flow sent which sequence number, to the microsecond."""
    own = dataset["packet_flow"].values == flow
    times = np.round(dataset["packet_enqueued_s"].values[own], 6)
    return list(zip(times.tolist(), dataset["packet_seq"].values[own].tolist(), strict=True))
