"""The kinds of flows that the panel offers, by the name of the TCP variant or of the UDP source."""

from collections.abc import Mapping
from typing import Any, Final

from simcore.impairments import Impaired
from simcore.rules.variants import VARIANTS
from simcore.scenario import Flow

SPOKEN: Final = {
    "tahoe": "TCP Tahoe",
    "reno": "TCP Reno",
    "newreno": "TCP NewReno",
    "sack": "TCP SACK",
    "vegas": "TCP Vegas",
    "cubic": "TCP CUBIC",
    "cbr": "UDP, constant rate",
    "exponential": "UDP, exponential bursts",
    "pareto": "UDP, Pareto bursts",
    "replay": "UDP, given times",
}
WINDOW_PACKETS: Final = 20  # ns-2: window_
# What a source needs beside its rate; ns-2's defaults (burst_time_, idle_time_, shape_).
BURSTS: Final[dict[str, dict[str, float]]] = {
    "cbr": {},
    "exponential": {"burst_s": 0.5, "idle_s": 0.5},
    "pareto": {"burst_s": 0.5, "idle_s": 0.5, "shape": 1.5},
}
COMMON: Final = Flow.model_fields.keys() - Impaired.model_fields.keys()  # what a flow keeps when its kind changes


def kind_of(flow: Mapping[str, Any]) -> str:
    """The variant of a TCP flow, the source of a UDP flow."""
    return str(flow["variant"] if flow["kind"] == "tcp" else flow["source"])


def spoken(kind: str) -> str:
    """What readers call a kind; a variant that is registered by somebody is called by its name."""
    return SPOKEN.get(kind, f"TCP {kind}")


def offered() -> list[str]:
    """All kinds that can be chosen: the registered variants, and the sources that need no list of times."""
    return [*VARIANTS, *BURSTS]


def flow_of_kind(kind: str, like: Mapping[str, Any], rate_mbps: float) -> dict[str, Any]:
    """A flow of another kind with the times, sizes and links of `like`; `rate_mbps` is for UDP sources."""
    common = {name: like[name] for name in sorted(COMMON) if name in like}
    if kind in VARIANTS:
        window = like.get("window_packets", WINDOW_PACKETS)
        return {"kind": "tcp", "variant": kind, "window_packets": window, **common}
    return {"kind": "udp", "source": kind, "rate_mbps": rate_mbps, **BURSTS[kind], **common}
