"""A scenario of each kind of network, on the baseline's link: what the compiled engine compiles apart."""

from collections.abc import Mapping
from typing import Final

from benchmarks.loads import BASELINE
from simcore import Scenario, scenario_from
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.variants import VARIANTS

PROFILES: Final = ("ns-2.35", "linux", "linux-nearest")
LINK: Final = {"rate_mbps": BASELINE.rate_mbps, "delay_ms": BASELINE.delay_ms}
# The most that two flows have together.
MIXED: Final = "CUBIC beside SACK, delayed ACKs, ECN, jitter"
MIXED_FLOWS: Final[tuple[dict[str, object], ...]] = (
    {"variant": "cubic", "sink": "delayed", "ecn": True, "send_jitter_ms": 1.0},
    {"variant": "sack", "sink": "delayed", "ecn": True},
)


def kinds() -> dict[str, Scenario]:
    """By title. What is registered is measured: nobody has to enter a new variant or queue here."""
    variants = {
        f"{name}, {profile}": _network({"variant": name}, {"variant": name}, profile=profile)
        for profile in PROFILES
        for name in VARIANTS
    }
    queues = {queue: _network({}, {}, queue=queue) for queue in DISCIPLINES}
    mixed = {
        f"{queue}, {MIXED}, {profile}": _network(*MIXED_FLOWS, queue=queue, profile=profile)
        for profile in PROFILES[:2]
        for queue in DISCIPLINES
    }
    return variants | queues | mixed | _few_have()


def _few_have() -> dict[str, Scenario]:
    codel, pie = (LINK | {"queue": queue} for queue in ("codel", "pie"))
    host = {"rate_mbps": 10.0, "delay_ms": 1.0, "queue_packets": 50, "when_full": "congestion"}
    return {
        "delayed ACKs": _network({"sink": "delayed"}, {"sink": "delayed"}),
        "jitter": _network({"send_jitter_ms": 1.0}, {}),
        "losses": _network({"loss_probability": 0.01}, {}),
        "ECN": _network({"ecn": True}, {}, queue="red"),
        "a row of drop-tail, CoDel and PIE": _network({}, {}, onward=[codel, pie]),
        "a host": _network({"host": 1}, {"host": 1}, hosts=[host]),
        "UDP sources": _sources(),
    }


def _sources() -> Scenario:
    """Two of the sources; the others are compiled with them."""
    times = {"packet_bytes": 1000, "start_s": 0.1, "stop_s": 10.0}
    cbr = {"kind": "udp", "source": "cbr", "rate_mbps": 1.0} | times
    bursts = {"kind": "udp", "source": "exponential", "rate_mbps": 1.0, "burst_s": 0.5, "idle_s": 0.5} | times
    return scenario_from(BASELINE.scenario().to_mapping() | {"flows": [cbr, bursts]})


def _network(*flows: Mapping[str, object], queue: str = "droptail", **changes: object) -> Scenario:
    """The baseline, with something else in its flows and another queue."""
    scenario = BASELINE.scenario().to_mapping()
    given = [scenario["flows"][0] | flow for flow in flows]
    if queue != "droptail":
        scenario["bottleneck"] = LINK | {"queue": queue}
    return scenario_from(scenario | {"flows": given} | changes)
