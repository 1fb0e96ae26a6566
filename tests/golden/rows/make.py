"""Make the golden traces of every scenario here, a trace for each link of the row, by running ns-2.35 (`ns`).

    python -m tests.golden.rows.make

The format is that of `queues`, whose scripts this one extends: the events of one link's data direction a file.
"""

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import yaml

from tests.golden.queues.make import bottleneck, own_link, packed, tcp, udp

HERE = Path(__file__).parent


def script(scenario: dict[str, Any], trace: Path) -> str:
    """The scenario in Tcl: the routers first, then each flow's own nodes in turn."""
    row = [scenario["bottleneck"], *scenario["onward"]]
    lines = [f"ns-random {scenario.get('seed', 1)}", "set ns [new Simulator]", f"set trace [open {trace} w]"]
    lines += [f"set n{k} [$ns node]" for k in range(len(row) + 1)]
    for k, link in enumerate(row):
        lines += row_link(link, k)
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


def row_link(link: dict[str, Any], k: int) -> list[str]:
    """Both directions of the link from router k to router k + 1, the way back perhaps another."""
    lines = [re.sub(r"\$n([01])", lambda node: f"$n{k + int(node[1])}", line) for line in bottleneck(link)]
    if "back" in link:
        speed = f"{link['back']['rate_mbps']}Mb {link['back']['delay_ms']}ms"
        lines[-2:-1] = [
            f"Queue/DropTail set limit_ {link['back']['buffer_packets']}",
            f"$ns simplex-link $n{k + 1} $n{k} {speed} DropTail",
        ]
    return lines


def make(path: Path) -> None:
    """Run one scenario, and write its traces beside it."""
    scenario = yaml.safe_load(path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        tcl, trace = Path(folder) / "run.tcl", Path(folder) / "trace"
        tcl.write_text(script(scenario, trace))
        subprocess.run(["ns", str(tcl)], check=True, cwd=folder)
        lines = [line.split() for line in trace.read_text().splitlines()]
    for k in range(len(scenario["onward"]) + 1):
        here = [line for line in lines if line[2:4] == [str(k), str(k + 1)]]
        path.with_name(f"{path.stem}.{k}.trace.xz").write_bytes(packed(here))


if __name__ == "__main__":
    for scenario_file in sorted(HERE.glob("*.yaml")):
        make(scenario_file)
