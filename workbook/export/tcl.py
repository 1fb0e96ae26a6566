"""A scenario as a script for ns-2.35, whose trace of the row of bottlenecks is to be ours line for line.

What stock ns-2.35 cannot do is refused by name. The order of the lines matters: it is that in which ns-2 makes nodes,
agents and events, and so the order of what happens at one instant.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import xarray as xr
import yaml

from simcore import Scenario, scenario_from
from simcore.scenario.flows import AnyFlow, TcpFlow, UdpFlow
from simcore.scenario.links import Link, RowLink
from simcore.scenario.profiles import PROFILES, Profile

AGENTS: Final = {
    "tahoe": "TCP",
    "reno": "TCP/Reno",
    "newreno": "TCP/Newreno",
    "sack": "TCP/Sack1",
    "vegas": "TCP/Vegas",
}
GROWTHS: Final = {None: 1, "standard": 1, "vegas": 1, "highspeed": 8}  # windowOption_
SINKS: Final = {"immediate": "", "delayed": "/DelAck"}
SOURCES: Final = {"cbr": "CBR", "exponential": "Exponential", "pareto": "Pareto"}
UNTOLD_BUFFER: Final = 50  # packets: a queue's limit where nobody sets it
QUEUES: Final[dict[str, tuple[str, dict[str, str]]]] = {  # the class, and its variables by our settings
    "droptail": ("DropTail", {"buffer_packets": "limit_", "buffer_bytes": "limit_"}),
    "sfq": ("SFQ", {"buffer_packets": "maxqueue_", "buckets": "buckets_"}),
    "drr": ("DRR", {"buffer_bytes": "blimit_", "buckets": "buckets_", "quantum_bytes": "quantum_"}),
    "red": (
        "RED",
        {
            "buffer_packets": "limit_", "min_threshold_packets": "thresh_", "max_threshold_packets": "maxthresh_",
            "queue_weight": "q_weight_", "mean_packet_bytes": "mean_pktsize_", "gentle": "gentle_", "wait": "wait_",
            "marks": "setbit_",
        },
    ),
}  # fmt: skip
FACTS: Final = {  # of the profile, and ns-2's variables
    "min_rto_s": "Agent/TCP set minrto_ {}",
    "max_rto_s": "Agent/TCP set maxrto_ {}",
    "initial_rto_s": "Agent/TCP set rtxcur_init_ {}",
    "tick_s": "Agent/TCP set tcpTick_ {}",
    "initial_window_packets": "Agent/TCP set windowInit_ {}",
    "limited_transmit": "Agent/TCP set singledup_ {:d}",
    "ack_delay_s": "Agent/TCPSink/DelAck set interval_ {}",
    "syn_acknowledged_at_once": "Agent/TCPSink set SYN_immediate_ack_ {:d}",
}
FIXED: Final = (
    "stack", "header_bytes", "syn_bytes", "syn_options", "ack_bytes", "most_quick_acks", "most_sack_blocks",
    "sack_option_bytes", "pushes_acknowledged", "flight_size_cut", "recovery_exit_marked",
)  # fmt: skip


class NotInNs2Error(ValueError):
    """A scenario that ns-2.35 can't run: the dotted path, and what it would have to be."""


def check(scenario: Scenario) -> None:
    """Raise NotInNs2Error, with the dotted path, for what ns-2.35 can't do."""
    for path, problem in _problems(scenario):
        raise NotInNs2Error(f"{path}: {problem}")


def write_script(ds: xr.Dataset, path: Path) -> None:
    """Write the script of a run's scenario. Raises NotInNs2Error and OSError."""
    path.write_text(script(scenario_from(yaml.safe_load(ds.attrs["scenario"])), "out.tr"), "ascii")


def script(scenario: Scenario, trace: str) -> str:
    """The scenario in Tcl; `ns` writes both directions of the row's links to the file `trace`. Raises NotInNs2Error."""
    check(scenario)
    row = scenario.row()
    lines = ["# Written by `workbook run --tcl`, for ns-2.35"]
    lines += [f"ns-random {scenario.seed}"] if scenario.seed != 1 else []  # 1 is what it has without a seed
    lines += ["set ns [new Simulator]", f"set trace [open {{{trace}}} w]"]
    lines += [f"set n{k} [$ns node]" for k in range(len(row) + 1)]
    for k, link in enumerate(row):
        lines += _row_link(link, k) + (_losses(scenario) if k == 0 else [])  # a lost packet is offered first, as ours
        lines += [f"$ns trace-queue $n{a} $n{b} $trace" for a, b in ((k, k + 1), (k + 1, k))]
    lines += _facts(scenario.profile)
    made = len(row) + 1
    for i, flow in enumerate(scenario.flows):
        flow_lines, made = _flow(scenario, i, flow, made)
        lines += flow_lines
    for i, flow in enumerate(scenario.flows):
        lines += [f'$ns at {flow.start_s} "$app{i} start"', f'$ns at {flow.stop_s} "$app{i} stop"']
    return "\n".join([*lines, f'$ns at {scenario.end_s} "close $trace; exit 0"', "$ns run", ""])


def _problems(scenario: Scenario) -> Iterator[tuple[str, str]]:
    stock = PROFILES["ns-2.35"]
    for fact in FIXED:
        if (given := getattr(scenario.profile, fact)) != getattr(stock, fact):
            yield fact, f"{given} is not possible in stock ns-2.35; must be {getattr(stock, fact)}"
    if scenario.random_streams != "shared":
        yield "random_streams", f"{scenario.random_streams} is not possible in ns-2; must be shared"
    if scenario.hosts:
        yield "hosts", "ns-2 has no interfaces of hosts; must be left out"
    for k, link in enumerate(scenario.row()):
        yield from _problems_of_link(f"onward.{k - 1}" if k else "bottleneck", link)
    for i, flow in enumerate(scenario.flows):
        yield from _problems_of_flow(f"flows.{i}", flow)


def _problems_of_link(path: str, link: RowLink) -> Iterator[tuple[str, str]]:
    if link.queue not in QUEUES:
        yield f"{path}.queue", f"{link.queue!r} is not in ns-2.35; allowed: {', '.join(QUEUES)}"
    if getattr(link, "pause", None) is not None:
        yield f"{path}.pause", "ns-2 has no pause frames; must be left out"


def _problems_of_flow(path: str, flow: AnyFlow) -> Iterator[tuple[str, str]]:
    if flow.spared_packets:
        yield f"{path}.spared_packets", "ns-2 spares no packets; must be left out"
    if isinstance(flow, UdpFlow) and flow.source not in SOURCES:
        yield f"{path}.source", f"{flow.source!r} is not written for ns-2; allowed: {', '.join(SOURCES)}"
    if not isinstance(flow, TcpFlow):
        return
    if flow.variant not in AGENTS:
        yield f"{path}.variant", f"{flow.variant!r} is not written for ns-2; allowed: {', '.join(AGENTS)}"
    if flow.growth not in GROWTHS:
        yield f"{path}.growth", f"{flow.growth!r} is not written for ns-2; allowed: highspeed"
    if flow.settings is not None:
        field = "variant" if flow.growth is None else "growth"
        yield f"{path}.{field}", f"{flow.settings} is not written for ns-2; must be the name alone"
    if flow.slow_start not in (None, "standard"):
        yield f"{path}.slow_start", f"{flow.slow_start!r} is not in ns-2.35; allowed: standard"
    if flow.options:
        yield f"{path}.options", f"{', '.join(flow.options)}: not as in ns-2; must be left out"
    if flow.sink not in SINKS:
        yield f"{path}.sink", f"{flow.sink!r} is not written for ns-2; allowed: {', '.join(SINKS)}"
    if flow.transfer_bytes is not None:
        yield f"{path}.transfer_bytes", "an FTP of ns-2 has no end; must be left out"


def _facts(profile: Profile) -> list[str]:
    lines = [words.format(getattr(profile, fact)) for fact, words in FACTS.items()]
    lines += ["Agent/TCP set precisionReduce_ 0"] if profile.whole_packet_cut else []
    if profile.lost_syn_window_packets == 2:  # RFC 3390's window, and windowInit_ in its place after a lost SYN
        lines += ["Agent/TCP set windowInitOption_ 2", "Agent/TCP set windowInit_ 2"]
    return lines


def _row_link(link: RowLink, k: int) -> list[str]:
    """Both directions of the link from router k to router k + 1; a direction takes its class's settings of then."""
    kind, _ = QUEUES[link.queue]
    speed, back = f"{link.rate_mbps}Mb {link.delay_ms}ms", link.back
    back_speed = f"{back.rate_mbps}Mb {back.delay_ms}ms" if back else speed
    return [
        *_queue(link),
        f"$ns simplex-link $n{k} $n{k + 1} {speed} {kind}",
        f"Queue/DropTail set limit_ {back.buffer_packets if back else UNTOLD_BUFFER}",
        "Queue/DropTail set queue_in_bytes_ false",
        f"$ns simplex-link $n{k + 1} $n{k} {back_speed} DropTail",
        f"Queue/DropTail set limit_ {UNTOLD_BUFFER}",
    ]


def _queue(link: RowLink) -> list[str]:
    kind, variables = QUEUES[link.queue]
    settings = {key: value for key, value in link.model_dump().items() if value is not None}
    lines = [
        f"Queue/{kind} set {name} {str(settings[key]).lower()}" for key, name in variables.items() if key in settings
    ]
    if kind == "DropTail" and "buffer_bytes" in settings:
        lines += ["Queue/DropTail set queue_in_bytes_ true", "Queue/DropTail set mean_pktsize_ 1"]
    if kind == "RED":
        in_bytes = str(settings["in_bytes"]).lower()
        lines += [f"Queue/RED set queue_in_bytes_ {in_bytes}", f"Queue/RED set bytes_ {in_bytes}"]
        lines += [f"Queue/RED set linterm_ {1 / settings['max_probability']}"]
    return lines


def _losses(scenario: Scenario) -> list[str]:
    """An error module in front of the bottleneck's queue; ns-2 counts packets from 0."""
    lines = []
    for i, flow in enumerate(scenario.flows):
        if flow.lost_packets:
            numbers = " ".join(str(number - 1) for number in flow.lost_packets)
            lines += [f"set loss{i} [new ErrorModel/List]", f"$loss{i} droplist {numbers}"]
        elif flow.loss_probability:
            lines += [f"set loss{i} [new ErrorModel/Uniform {flow.loss_probability} pkt]"]
        else:
            continue
        lines += [f"$losses insert $loss{i}", f"$losses bind $loss{i} {i + 1}"]
    module = ["set losses [new ErrorModule Fid]", "[$ns link $n0 $n1] errormodule $losses"]
    return [*module, *lines, "$losses default pass"] if lines else []


def _flow(scenario: Scenario, i: int, flow: AnyFlow, made: int) -> tuple[list[str], int]:
    """The lines of a flow with its own links, and how many nodes there are then."""
    ends, lines = [f"n{router}" for router in scenario.routers(flow)], []
    for end, link in enumerate((flow.access, flow.exit)):
        if link is not None:
            near, ends[end] = ends[end], f"n{made}"
            lines += [f"set n{made} [$ns node]", *_flow_link(link, ends[end], near)]
            made += 1
    agents = _tcp(flow, i) if isinstance(flow, TcpFlow) else _udp(flow, i)
    sender, sink, application = agents
    lines += [*sender, f"$src{i} set fid_ {i + 1}", f"$ns attach-agent ${ends[0]} $src{i}"]
    lines += [sink, f"$ns attach-agent ${ends[1]} $dst{i}", f"$ns connect $src{i} $dst{i}"]
    return [*lines, *application, f"$app{i} attach-agent $src{i}"], made


def _flow_link(link: Link, end: str, near: str) -> list[str]:
    limits = [f"$ns queue-limit ${a} ${b} {link.buffer_packets}" for a, b in ((end, near), (near, end))]
    return [f"$ns duplex-link ${end} ${near} {link.rate_mbps}Mb {link.delay_ms}ms DropTail", *limits]


def _tcp(flow: TcpFlow, i: int) -> tuple[list[str], str, list[str]]:
    sender = [
        f"set src{i} [new Agent/{AGENTS[flow.variant]}]",
        f"$src{i} set packetSize_ {flow.packet_bytes}",
        f"$src{i} set window_ {flow.window_packets}",
        f"$src{i} set windowOption_ {GROWTHS[flow.growth]}",
        f"$src{i} set overhead_ {(flow.send_jitter_ms or 0) / 1e3}",
        f"$src{i} set ecn_ {int(flow.ecn or False)}",
    ]
    kind = "/Sack1" * (flow.variant == "sack") + SINKS[flow.sink]
    return sender, f"set dst{i} [new Agent/TCPSink{kind}]", [f"set app{i} [new Application/FTP]"]


def _udp(flow: UdpFlow, i: int) -> tuple[list[str], str, list[str]]:
    given = flow.model_dump()
    names = {"rate_mbps": "rate_ {}Mb", "burst_s": "burst_time_ {}", "idle_s": "idle_time_ {}", "shape": "shape_ {}"}
    application = [
        f"set app{i} [new Application/Traffic/{SOURCES[flow.source]}]",
        f"$app{i} set packetSize_ {flow.packet_bytes}",
        *(f"$app{i} set {words.format(given[name])}" for name, words in names.items() if given.get(name) is not None),
    ]
    # An agent cuts what is longer than its own packets.
    sender = [f"set src{i} [new Agent/UDP]", f"$src{i} set packetSize_ {max(1000, flow.packet_bytes)}"]
    return sender, f"set dst{i} [new Agent/Null]", application
