"""A control that paces: its segments keep a distance, in both engines alike; nobody else's do."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr

from simcore import MODELS, Scenario, simulate
from simcore.rules.congestion.registry import CONTROLS, register
from simcore.rules.tcp import sender as tcp
from tests.simcore.process.alone import Stage
from tests.simcore.scenes import bottleneck, scene, tcp_flow

DISTANCE_S = 0.003  # a segment takes 0.8 ms to send


@dataclass(slots=True)
class State:
    due_s: float = 0.0  # when the next segment may leave


def segment_sent(sender: tcp.TcpState, state: State, seq: int, now: float) -> None:
    state.due_s = now + DISTANCE_S


def send_delay_s(sender: tcp.TcpState, state: State, now: float) -> float:
    return max(state.due_s - now, 0.0)


def hair(sender: tcp.TcpState, state: object, now: float) -> float:
    return 1e-20


@pytest.fixture(autouse=True)
def _paced() -> Iterator[None]:
    """Reno that keeps a distance between its segments."""
    register("paced", SimpleNamespace(State=State, segment_sent=segment_sent, send_delay_s=send_delay_s))
    yield
    del CONTROLS["paced"]


def roomy(*flows: dict[str, Any], **changes: Any) -> Scenario:
    """No losses, so that every segment leaves by the sending loop."""
    return scene(*flows, **{"bottleneck": bottleneck(rate_mbps=10, buffer_packets=100), "end_s": 3} | changes)


def distances_s(run: xr.Dataset, flow: int = 1) -> Any:
    return np.diff(run["packet_sent_s"].values[run["packet_flow"].values == flow])


@pytest.mark.parametrize("engine", list(MODELS))
def test_segments_leave_no_closer_than_the_control_allows(engine: str) -> None:
    run = simulate(roomy(tcp_flow(variant="paced"), tcp_flow(variant="reno")), engine)
    assert run["retransmitted"].sum() == 0
    assert distances_s(run).min() == pytest.approx(DISTANCE_S, rel=1e-9)  # differences of times
    assert np.median(distances_s(run)) < 1.1 * DISTANCE_S  # the pace is what holds it back
    assert distances_s(run, 2).min() == 0.0  # the other sends bursts


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"bottleneck": bottleneck(buffer_packets=5)},  # with losses
        {"bottleneck": bottleneck(queue="red", min_threshold_packets=2, max_threshold_packets=8)},
    ],
)
def test_the_engines_agree(changes: dict[str, Any]) -> None:
    flows = (
        tcp_flow(variant="paced"),
        tcp_flow(variant="paced", send_jitter_ms=5),
        tcp_flow(),
        tcp_flow(variant="sack"),
    )
    ours, theirs = (simulate(roomy(*flows, **changes), engine) for engine in MODELS)
    assert {ours.attrs.pop("engine"), theirs.attrs.pop("engine")} == set(MODELS)
    xr.testing.assert_identical(ours, theirs)


def test_what_the_window_allows_leaves_segment_by_segment() -> None:
    """Two segments for the SYN's ACK; the second waits, and meanwhile an ACK neither hurries it nor is forgotten."""
    stage = Stage(variant="paced")
    inbox = stage.sender().inbox
    stage.puts(inbox, 0, at_s=1.5)
    stage.puts(inbox, 1, at_s=1.501)
    assert stage.sent(until_s=1.6) == [(1.0, 0), (1.5, 1), (1.503, 2), (1.506, 3), (1.509, 4)]


def test_a_delay_too_short_for_the_clock_does_not_stop_it() -> None:
    """At 1.5 s a delay of 1e-20 s ends at 1.5 s: a segment that has waited is not asked about again."""
    register("paced", SimpleNamespace(send_delay_s=hair))
    stage = Stage(variant="paced")
    stage.puts(stage.sender().inbox, 0, at_s=1.5)
    assert stage.sent(until_s=1.6) == [(1.0, 0), (1.5, 1), (1.5, 2)]
