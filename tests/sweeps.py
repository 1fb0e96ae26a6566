"""A small sweep for the tests: a TCP and a UDP flow for 0.6 s, on the engine that needs no compiling."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import yaml
from click.testing import CliRunner, Result

from workbook.commands.cli import main

TCP: Final = {
    "kind": "tcp", "variant": "reno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0.0, "stop_s": 1.0,
}  # fmt: skip
UDP: Final = {
    "kind": "udp", "source": "cbr", "packet_bytes": 500, "rate_mbps": 1.0, "start_s": 0.05, "stop_s": 0.5,
}  # fmt: skip
BOTTLENECK: Final = {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20}
BASE: Final[Mapping[str, Any]] = {
    "profile": "ns-2.27",
    "end_s": 0.6,  # with packets still on their way
    "bottleneck": BOTTLENECK,
    "flows": [TCP, UDP],
}
BUFFER: Final = {"path": "bottleneck.buffer_packets", "values": [2, 5, 20]}
JITTER: Final = {"flows.*.start_s": {"uniform": [0, 0.1]}}
RANDOM: Final[Mapping[str, Any]] = {
    "samples": 4,
    "seed": 7,
    "vary": {
        "rate": {"path": "bottleneck.rate_mbps", "uniform": [1, 3]},
        "delay": {"path": "bottleneck.delay_ms", "loguniform": [1, 100]},
        "buffer": {"path": "bottleneck.buffer_packets", "integers": [3, 30]},
        "sink": {"path": "flows.0.sink", "choice": ["immediate", "delayed"]},
    },
}

MANY: Final[Mapping[str, Any]] = {  # cells enough to be stopped and killed in the middle
    "vary": {"buffer": {"path": "bottleneck.buffer_packets", "from": 1, "to": 40, "steps": 40, "whole": True}},
    "replications": 3,
    "jitter": JITTER,
    "base": {**BASE, "end_s": 3, "flows": [TCP | {"stop_s": 3}, UDP]},
}


def write(**said: Any) -> Path:
    """The sweep's file, mine.yaml in the current directory."""
    path = Path("mine.yaml")
    path.write_text(yaml.safe_dump({"name": "mine", "base": dict(BASE), "engine": "process"} | said))
    return path


def sweep(*options: str) -> Result:
    """`workbook sweep mine.yaml`."""
    return CliRunner().invoke(main, ["sweep", "mine.yaml", *options], catch_exceptions=False)


@contextmanager
def one_thread(_: int) -> Iterator[Executor]:
    """In the place of `workers.processes`: what simulates in this process and needs no second to start."""
    with ThreadPoolExecutor(1) as executor:
        yield executor


def files(store: Path) -> dict[str, bytes]:
    """Every file of a store."""
    return {path.relative_to(store).as_posix(): path.read_bytes() for path in store.rglob("*") if path.is_file()}
