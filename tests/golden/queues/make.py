"""Make golden traces of scenarios by running ns-2.35 (`ns`), in this script's own words in Tcl.

    python tests/golden/queues/make.py SCENARIO.yaml ...

The format is that of `generated` (see README.md and `tests/goldens.py`): the events of the bottleneck's data direction.
"""

import json
import lzma
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import yaml

TYPES = {"tcp": 0, "cbr": 1, "ack": 2, "exp": 3}
AGENTS = {"tahoe": "TCP", "reno": "TCP/Reno", "newreno": "TCP/Newreno", "sack": "TCP/Sack1", "vegas": "TCP/Vegas"}
WINDOW_OPTIONS = {None: 1, "highspeed": 8}

# A fact of the profile, and ns-2's variable. The last makes the initial window 4 packets of up to 1095 bytes, or 3.
FACTS = {
    "min_rto_s": "minrto_ {}",
    "whole_packet_cut": "precisionReduce_ 0",
    "lost_syn_window_packets": "windowInitOption_ 2",
}

# The bottleneck's queue: our key and ns-2's variable of the class.
QUEUES: dict[str, tuple[str, dict[str, str]]] = {
    "droptail": ("DropTail", {"buffer_packets": "limit_", "buffer_bytes": "limit_"}),
    "sfq": ("SFQ", {"buffer_packets": "maxqueue_", "buckets": "buckets_"}),
    "drr": ("DRR", {"buffer_bytes": "blimit_", "buckets": "buckets_", "quantum_bytes": "quantum_"}),
    "red": (
        "RED",
        {
            "buffer_packets": "limit_",
            "min_threshold_packets": "thresh_",
            "max_threshold_packets": "maxthresh_",
            "queue_weight": "q_weight_",
            "mean_packet_bytes": "mean_pktsize_",
            "gentle": "gentle_",
            "wait": "wait_",
            "marks": "setbit_",
        },
    ),
}

Fields = dict[str, Any]  # of a scenario or of a part of it, as its file has them


def script(scenario: Fields, trace: Path) -> str:
    """The scenario in Tcl: the routers first, 0 and 1 at the bottleneck's ends, then each flow's own nodes in turn."""
    row = [scenario["bottleneck"], *scenario.get("onward", [])]
    lines = ["set ns [new Simulator]", f"set trace [open {trace} w]"]
    lines += [f"set n{k} [$ns node]" for k in range(len(row) + 1)]
    for k, link in enumerate(row):
        *links, traced = row_link(link, k)
        lost = losses(scenario["flows"]) if k == 0 else []
        lines += [*links, *lost, traced]  # in this order a lost packet is enqueued first
    if "seed" in scenario:
        lines.insert(0, f"ns-random {scenario['seed']}")
    for fact, variable in FACTS.items():
        if fact in scenario:
            lines.append(f"Agent/TCP set {variable.format(scenario[fact])}")
    made = len(row) + 1
    for i, flow in enumerate(scenario["flows"]):
        ends = [f"n{flow.get('enters', 0)}", f"n{flow.get('leaves', len(row))}"]
        for end, key in enumerate(("access", "exit")):
            if key in flow:
                near, ends[end] = ends[end], f"n{made}"
                lines += [f"set n{made} [$ns node]", *own_link(flow[key], ends[end], near)]
                made += 1
        lines += (tcp if flow["kind"] == "tcp" else udp)(flow, i, *ends)
    for i, flow in enumerate(scenario["flows"]):
        lines += [f'$ns at {flow["start_s"]} "$app{i} start"', f'$ns at {flow["stop_s"]} "$app{i} stop"']
    lines += [f'$ns at {scenario["end_s"]} "close $trace; exit 0"', "$ns run"]
    return "\n".join(lines) + "\n"


def row_link(link: Fields, k: int) -> list[str]:
    """Both directions of the link from router k to router k + 1, the way back perhaps another; last its trace."""
    lines = [re.sub(r"\$n([01])", lambda node: f"$n{k + int(node[1])}", line) for line in bottleneck(link)]
    if "back" in link:
        speed = f"{link['back']['rate_mbps']}Mb {link['back']['delay_ms']}ms"
        lines[-2:-1] = [
            f"Queue/DropTail set limit_ {link['back']['buffer_packets']}",
            f"$ns simplex-link $n{k + 1} $n{k} {speed} DropTail",
        ]
    return lines


def bottleneck(link: Fields) -> list[str]:
    kind, variables = QUEUES[link["queue"]]
    given = {variables[key]: value for key, value in link.items() if key in variables}
    lines = [f"Queue/{kind} set {name} {str(value).lower()}" for name, value in given.items()]
    if "buffer_bytes" in link and kind == "DropTail":
        lines += ["Queue/DropTail set queue_in_bytes_ true", "Queue/DropTail set mean_pktsize_ 1"]
    if kind == "RED":
        in_bytes = str(link.get("in_bytes", False)).lower()
        lines += [f"Queue/RED set queue_in_bytes_ {in_bytes}", f"Queue/RED set bytes_ {in_bytes}"]
        lines += [f"Queue/RED set linterm_ {1 / link.get('max_probability', 0.1)}"]
    speed = f"{link['rate_mbps']}Mb {link['delay_ms']}ms"
    lines += [f"$ns simplex-link $n0 $n1 {speed} {kind}"]
    lines += ["Queue/DropTail set limit_ 50", "Queue/DropTail set queue_in_bytes_ false"]
    return [*lines, f"$ns simplex-link $n1 $n0 {speed} DropTail", "$ns trace-queue $n0 $n1 $trace"]


def losses(flows: list[Fields]) -> list[str]:
    """An error module in front of the bottleneck's queue; ns-2 counts packets from 0."""
    lines = []
    for i, flow in enumerate(flows):
        if "lost_packets" in flow:
            numbers = " ".join(str(number - 1) for number in flow["lost_packets"])
            lines += [f"set loss{i} [new ErrorModel/List]", f"$loss{i} droplist {numbers}"]
        elif "loss_probability" in flow:
            lines += [f"set loss{i} [new ErrorModel/Uniform {flow['loss_probability']} pkt]"]
        else:
            continue
        lines += [f"$losses insert $loss{i}", f"$losses bind $loss{i} {i + 1}"]
    module = ["set losses [new ErrorModule Fid]", "[$ns link $n0 $n1] errormodule $losses"]
    return [*module, *lines, "$losses default pass"] if lines else []


def own_link(link: Fields, end: str, near: str) -> list[str]:
    pair = [f"$ns queue-limit ${a} ${b} {link['buffer_packets']}" for a, b in ((end, near), (near, end))]
    return [f"$ns duplex-link ${end} ${near} {link['rate_mbps']}Mb {link['delay_ms']}ms DropTail", *pair]


def tcp(flow: Fields, i: int, source: str, destination: str) -> list[str]:
    sink = "TCPSink" + ("/Sack1" if flow["variant"] == "sack" else "")
    sink += "/DelAck" if flow.get("sink") == "delayed" else ""
    return [
        f"set src{i} [new Agent/{AGENTS[flow['variant']]}]",
        f"$src{i} set packetSize_ {flow['packet_bytes']}",
        f"$src{i} set window_ {flow['window_packets']}",
        f"$src{i} set fid_ {i + 1}",
        f"$src{i} set windowOption_ {WINDOW_OPTIONS[flow.get('growth')]}",
        f"$src{i} set overhead_ {flow.get('send_jitter_ms', 0) / 1e3}",
        f"$src{i} set ecn_ {int(flow.get('ecn', False))}",
        f"$ns attach-agent ${source} $src{i}",
        f"set dst{i} [new Agent/{sink}]",
        f"$ns attach-agent ${destination} $dst{i}",
        f"$ns connect $src{i} $dst{i}",
        f"set app{i} [new Application/FTP]",
        f"$app{i} attach-agent $src{i}",
    ]


def udp(flow: Fields, i: int, source: str, destination: str) -> list[str]:
    kind = {"cbr": "CBR", "exponential": "Exponential"}[flow["source"]]
    bursts = {"burst_time_": flow.get("burst_s"), "idle_time_": flow.get("idle_s")}
    return [
        f"set src{i} [new Agent/UDP]",
        f"$src{i} set packetSize_ {max(1000, flow['packet_bytes'])}",
        f"$src{i} set fid_ {i + 1}",
        f"$ns attach-agent ${source} $src{i}",
        f"set dst{i} [new Agent/Null]",
        f"$ns attach-agent ${destination} $dst{i}",
        f"$ns connect $src{i} $dst{i}",
        f"set app{i} [new Application/Traffic/{kind}]",
        f"$app{i} set packetSize_ {flow['packet_bytes']}",
        f"$app{i} set rate_ {flow['rate_mbps']}Mb",
        *(f"$app{i} set {name} {seconds}" for name, seconds in bursts.items() if seconds is not None),
        f"$app{i} attach-agent $src{i}",
    ]


def packed(lines: list[list[str]]) -> bytes:
    """The columns of a trace as differences, bytes of equal weight together, compressed."""
    event = np.array(["+-dr".index(row[0]) for row in lines], np.uint8)
    kind = np.array([TYPES[row[4]] for row in lines], np.uint8)
    columns = [[round(float(row[1]) * 1e6) for row in lines]]
    columns += [[int(row[n]) for row in lines] for n in (5, 7, 10, 11)]  # size, flow, sequence number, uid
    steps = np.diff(np.array(columns, np.int64), axis=1, prepend=0).astype("<i4")
    planes = np.ascontiguousarray(steps).view(np.uint8).reshape(5, len(lines), 4).transpose(0, 2, 1)
    return lzma.compress(event.tobytes() + kind.tobytes() + planes.tobytes(), preset=9)


def counts(lines: list[list[str]], flows: int) -> dict[str, dict[str, int]]:
    number = Counter((row[7], row[0]) for row in lines)
    size: Counter[str] = Counter()
    for row in lines:
        if row[0] == "r":
            size[row[7]] += int(row[5])
    return {
        str(f): {
            "sent": number[str(f), "+"],
            "dropped": number[str(f), "d"],
            "received": number[str(f), "r"],
            "received_bytes": size[str(f)],
        }
        for f in range(1, flows + 1)
    }


def traced_lines(scenario: Fields) -> list[list[str]]:
    """Run one scenario; return the lines of its trace, split."""
    with tempfile.TemporaryDirectory() as folder:
        tcl, trace = Path(folder) / "run.tcl", Path(folder) / "trace"
        tcl.write_text(script(scenario, trace))
        subprocess.run(["ns", str(tcl)], check=True, cwd=folder)
        return [line.split() for line in trace.read_text().splitlines()]


def make(path: Path) -> dict[str, dict[str, int]]:
    """Run one scenario, and write its trace beside it."""
    scenario = yaml.safe_load(path.read_text())
    lines = traced_lines(scenario)
    path.with_suffix(".trace.xz").write_bytes(packed(lines))
    return counts(lines, len(scenario["flows"]))


def main() -> None:
    """Make the traces of the scenarios named, and enter each into the counts.json beside it."""
    for path in map(Path, sys.argv[1:]):
        table = path.with_name("counts.json")
        known = json.loads(table.read_text()) if table.exists() else {}
        known[path.stem] = make(path)
        table.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
