"""Scenarios that hypothesis makes up: awkward enough to be interesting, short enough to run in a tenth of a second.

What an engine does with them must obey the invariants of `tests/simcore/results/test_properties.py`, on either engine.
"""

from typing import Any

from hypothesis import strategies as st

from simcore import Scenario, scenario_from
from simcore.rules.receivers.registry import SINKS
from simcore.rules.slow_start.registry import CHOICES
from simcore.rules.variants import VARIANTS
from simcore.scenario.profiles import PROFILES

LONGEST_S = 1.0
MOST_FLOWS = 8
INSTANTS = (0.0, 0.1, 0.25)  # shared by several flows, which makes ties

Fields = dict[str, Any]  # of a scenario or of a part of it, as a file has them


def overrides() -> st.SearchStrategy[Fields]:
    """Profile fields to set beside the profile's name: timeouts short enough to happen within the run."""
    fields: dict[str, st.SearchStrategy[Any]] = {
        "min_rto_s": st.floats(0, 1),
        "max_rto_s": st.floats(0.1, 60),
        "initial_rto_s": st.floats(0.05, 6),
        "tick_s": st.sampled_from([0.001, 0.01, 0.1]),
        "initial_window_packets": st.integers(1, 10),
        "header_bytes": st.integers(0, 60),
        "ack_delay_s": st.floats(0.001, 0.5),
        "limited_transmit": st.booleans(),
        "whole_packet_cut": st.booleans(),
        "recovery_exit_marked": st.booleans(),
    }
    return st.fixed_dictionaries({}, optional=fields)


LINE = {  # from next door to a satellite
    "rate_mbps": st.floats(0.1, 2) | st.sampled_from([0.8, 1.0, 2.0]),
    "delay_ms": st.floats(0.001, 100) | st.sampled_from([1.0, 10.0]),
}
PACKETS = {"buffer_packets": st.integers(1, 30)}  # from a queue that refuses everything to one that never fills
BYTES = {"buffer_bytes": st.integers(1, 30_000)}


def links() -> st.SearchStrategy[Fields]:
    """A flow's own link."""
    return st.fixed_dictionaries(LINE | PACKETS)


def plain_bottlenecks() -> st.SearchStrategy[Fields]:
    """Drop-tail with a limit in packets."""
    return st.fixed_dictionaries(LINE | PACKETS | {"queue": st.just("droptail")})


def bottlenecks() -> st.SearchStrategy[Fields]:
    """Every queue discipline, one time in two the plain one."""
    buckets = {"buckets": st.integers(1, 20)}
    delays = {
        "target_ms": st.floats(0.1, 20),
        "interval_ms": st.floats(1, 100),
        "max_packet_bytes": st.sampled_from([100, 1500]),
        "marks": st.booleans(),
    }
    disciplines: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "droptail": BYTES,
        "sfq": PACKETS | buckets,
        "drr": BYTES | buckets | {"quantum_bytes": st.integers(50, 2000)},
        "red": PACKETS
        | {
            "min_threshold_packets": st.floats(0.1, 5),
            "max_threshold_packets": st.floats(5.1, 20),
            "max_probability": st.floats(0.01, 1),
            "queue_weight": st.floats(0.001, 1),
            "mean_packet_bytes": st.integers(100, 2000),
            **{name: st.booleans() for name in ("gentle", "wait", "in_bytes", "marks")},
        },
        "codel": PACKETS | delays,
        "pie": PACKETS
        | {
            "target_ms": st.floats(0.1, 20),
            "burst_ms": st.sampled_from([0.0, 15.0, 150.0]),
            "mean_packet_bytes": st.sampled_from([1, 500]),
            "active_from_packets": st.none() | st.integers(1, 10),
            "marks": st.booleans(),
        },
        "fq_codel": PACKETS | delays | {"queues": st.integers(1, 6), "quantum_bytes": st.integers(50, 2000)},
    }
    queues = [st.fixed_dictionaries(LINE | {"queue": st.just(name)} | more) for name, more in disciplines.items()]
    return plain_bottlenecks() | st.one_of(queues)


def losses() -> st.SearchStrategy[Fields]:
    """Losses on purpose: a packet now and then, or many; often none."""

    def fates(is_lost: dict[int, bool]) -> Fields:
        numbers = {"lost_packets": True, "spared_packets": False}
        given = {name: sorted(k for k in is_lost if is_lost[k] == lost) for name, lost in numbers.items()}
        return {name: chosen for name, chosen in given.items() if chosen}

    listed = st.dictionaries(st.integers(1, 60), st.booleans(), max_size=8).map(fates)
    return st.just({}) | listed | st.fixed_dictionaries({"loss_probability": st.floats(0, 0.3) | st.just(1.0)})


def variants(names: list[str]) -> st.SearchStrategy[Fields]:
    """A TCP variant, often with another congestion control than its own."""

    def with_growth(name: str) -> st.SearchStrategy[Fields]:
        growth = {"growth": st.sampled_from(VARIANTS[name].controls())}
        return st.fixed_dictionaries({"variant": st.just(name)}, optional=growth)

    return st.sampled_from(names).flatmap(with_growth)


def _merged(*parts: st.SearchStrategy[Fields]) -> st.SearchStrategy[Fields]:
    return st.tuples(*parts).map(lambda given: {key: value for part in given for key, value in part.items()})


def flows() -> st.SearchStrategy[Fields]:
    """A TCP flow or a UDP flow, with or without links of its own."""
    times = {
        "start_s": st.sampled_from(INSTANTS) | st.floats(0, 0.3),
        "stop_s": st.sampled_from([0.5, LONGEST_S]) | st.floats(0.31, 2 * LONGEST_S),
    }
    tcp = {
        "kind": st.just("tcp"),
        "packet_bytes": st.integers(100, 1500),
        "window_packets": st.integers(1, 40),
    }
    udp = {
        "kind": st.just("udp"),
        "source": st.just("cbr"),
        "packet_bytes": st.integers(100, 1500),
        "rate_mbps": st.floats(0.01, 1.5),
    }
    on_off = udp | {
        "source": st.just("exponential"),
        "burst_s": st.floats(0.001, 0.3),
        "idle_s": st.floats(0, 0.3),
    }
    pareto = on_off | {"source": st.just("pareto"), "shape": st.floats(1.1, 3)}
    replay = {key: value for key, value in udp.items() if key != "rate_mbps"} | {
        "source": st.just("replay"),
        "times_s": st.lists(st.sampled_from(INSTANTS) | st.floats(0, 1), min_size=1, max_size=40).map(sorted),
    }
    sink = {
        "sink": st.sampled_from(sorted(SINKS)),
        "transfer_bytes": st.integers(1, 50_000),
        "send_jitter_ms": st.floats(0, 50) | st.sampled_from([0.0, 4.0]),
        "slow_start": st.sampled_from(CHOICES),
    }
    own_links = {"access": links(), "exit": links()}
    capable = [name for name, variant in VARIANTS.items() if variant.recovery.knows_ecn]
    tcp_flows = _merged(variants(sorted(VARIANTS)), st.fixed_dictionaries(tcp | times, optional=sink)) | _merged(
        variants(capable), st.fixed_dictionaries(tcp | times | {"ecn": st.booleans()}, optional=sink)
    )
    plain = tcp_flows | st.one_of([st.fixed_dictionaries(source | times) for source in (udp, on_off, pareto, replay)])
    extras = st.tuples(st.just({}) | st.fixed_dictionaries({}, optional=own_links), losses())
    return st.tuples(plain, extras).map(lambda parts: parts[0] | parts[1][0] | parts[1][1])


def possible(scenario: Fields) -> Fields:
    """Only plain drop-tail can spare a packet, and some controls have a slow start of their own, as have Linux'."""
    row = [scenario["bottleneck"], *scenario.get("onward", [])]
    is_linux = PROFILES[scenario["profile"]].stack == "linux"

    def kept(flow: Fields) -> Fields:
        first = row[flow.get("enters", 0)]
        barred = [] if first["queue"] == "droptail" and "buffer_packets" in first else ["spared_packets"]
        if flow["kind"] == "tcp":
            control = VARIANTS[flow["variant"]].with_control(flow.get("growth")).control
            barred += ["slow_start"] if control.own_slow_start or is_linux else []
        return {key: value for key, value in flow.items() if key not in barred}

    return scenario | {"flows": [kept(flow) for flow in scenario["flows"]]}


def hosts() -> st.SearchStrategy[Fields]:
    """An interface that flows may share."""
    more = {
        "when_full": st.sampled_from(["drop", "congestion", "ignore"]),
        "gap_us": st.sampled_from([0.0, 4000.0]) | st.floats(0, 20_000),
    }
    return st.fixed_dictionaries(LINE | {"queue_packets": st.integers(1, 20)}, optional=more)


def row_links() -> st.SearchStrategy[Fields]:
    """A link of a row, some with another way back, or with PAUSE."""
    back = st.fixed_dictionaries({}, optional={"back": links()})
    marks = st.fixed_dictionaries({"high_packets": st.integers(2, 20), "low_packets": st.integers(0, 1)})
    pausing = st.tuples(plain_bottlenecks(), st.fixed_dictionaries({"pause": marks}))
    return st.tuples(bottlenecks(), back).map(lambda two: two[0] | two[1]) | pausing.map(lambda two: two[0] | two[1])


@st.composite
def in_larger_networks(draw: st.DrawFn, mapping: Fields) -> Fields:
    """The scenario with up to three links in a row, and perhaps with hosts."""
    row, interfaces = draw(st.lists(row_links(), min_size=1, max_size=3)), draw(st.lists(hosts(), max_size=2))
    routers = [draw(st.integers(0, len(row) - 1)) for _ in interfaces]  # where each host is plugged in
    placed = []
    for flow in mapping["flows"]:
        ways = {"enters": draw(st.integers(0, len(row) - 1))}
        if interfaces and "access" not in flow:
            ways["host"] = draw(st.integers(1, len(interfaces)))
            ways["enters"] = routers[ways["host"] - 1]
        placed.append(flow | ways | {"leaves": draw(st.integers(ways["enters"] + 1, len(row)))})
    return mapping | {"bottleneck": row[0], "onward": row[1:], "hosts": interfaces, "flows": placed}


def mappings(bottleneck: st.SearchStrategy[Fields]) -> st.SearchStrategy[Fields]:
    """Scenarios as their files would have them."""
    whole = {
        "name": st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=20),
        "profile": st.sampled_from(sorted(PROFILES)),
        "seed": st.integers(1, 4294944442),
        "random_streams": st.sampled_from(["shared", "independent"]),
        "end_s": st.floats(0.4, LONGEST_S),
        "bottleneck": bottleneck,
        "flows": st.lists(flows(), min_size=1, max_size=MOST_FLOWS),
    }
    return st.tuples(st.fixed_dictionaries(whole), overrides()).map(lambda parts: possible(parts[0] | parts[1]))


def networks() -> st.SearchStrategy[Scenario]:
    """Valid scenarios with several routers, and with hosts."""
    return mappings(bottlenecks()).flatmap(in_larger_networks).map(possible).map(scenario_from)


def scenarios(bottleneck: st.SearchStrategy[Fields] | None = None) -> st.SearchStrategy[Scenario]:
    """Valid scenarios of one to eight flows, with any queue discipline unless `bottleneck` says which."""
    return mappings(bottlenecks() if bottleneck is None else bottleneck).map(scenario_from)


# Ties on purpose: a packet takes a beat, and so does all else. Doubles hold powers of two and their sums exactly.

BEAT_S = 2.0**-10
TIED_BYTES = 1024
TIED_MBPS = 8 * TIED_BYTES / BEAT_S / 1e6
BEATS_MS = st.integers(0, 8).map(lambda beats: beats * BEAT_S * 1e3)


def tied_flows() -> st.SearchStrategy[Fields]:
    """A flow whose packets come when others do."""
    times = {
        "start_s": st.integers(0, 16).map(lambda beats: beats * BEAT_S),
        "stop_s": st.integers(64, 512).map(lambda beats: beats * BEAT_S),
    }
    tcp = {
        "kind": st.just("tcp"),
        "packet_bytes": st.sampled_from([TIED_BYTES - 40, TIED_BYTES]),  # with or without a header, one of them ties
        "window_packets": st.integers(1, 40),
        "sink": st.sampled_from(sorted(SINKS)),
    }
    udp = {"kind": st.just("udp"), "packet_bytes": st.just(TIED_BYTES)}
    cbr = {"source": st.just("cbr"), "rate_mbps": st.integers(0, 4).map(lambda halvings: TIED_MBPS / 2**halvings)}
    beats = st.lists(st.integers(0, 256).map(lambda beats: beats * BEAT_S), min_size=1, max_size=60).map(sorted)
    replay = {"source": st.just("replay"), "times_s": beats}
    tcp_flows = _merged(variants(sorted(VARIANTS)), st.fixed_dictionaries(tcp | times))
    plain = tcp_flows | st.one_of([st.fixed_dictionaries(udp | source | times) for source in (cbr, replay)])
    return st.tuples(plain, losses()).map(lambda parts: parts[0] | parts[1])


def tied_scenarios() -> st.SearchStrategy[Scenario]:
    """Two to eight flows in step with each other, over links that are in step with them, and a short queue."""
    line = {"rate_mbps": st.just(TIED_MBPS), "delay_ms": BEATS_MS, "buffer_packets": st.integers(1, 12)}
    own = st.fixed_dictionaries({}, optional={name: st.fixed_dictionaries(line) for name in ("access", "exit")})
    flow = st.tuples(tied_flows(), st.just({}) | own).map(lambda parts: parts[0] | parts[1])
    whole = {
        "profile": st.sampled_from(sorted(PROFILES)),
        "syn_bytes": st.just(TIED_BYTES),  # a SYN that takes less than a beat shifts all that its flow sends
        "syn_options": st.just(False),
        "end_s": st.just(600 * BEAT_S),
        "bottleneck": st.fixed_dictionaries(line | {"queue": st.just("droptail")}),
        "flows": st.lists(flow, min_size=2, max_size=MOST_FLOWS),
    }
    return st.fixed_dictionaries(whole).map(scenario_from)
