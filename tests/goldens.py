"""Golden traces: ns-2's own lines, kept as compressed columns (see golden/README.md)."""

import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np

GOLDEN = Path(__file__).parent / "golden"
TYPES = np.array(["tcp", "cbr", "ack", "exp", "pareto"])


def trace_lines(path: Path, *, with_nodes: bool) -> list[str]:
    """The lines of a golden trace: event, time, [from, to,] type, size, flow, sequence number, uid."""
    raw = np.frombuffer(lzma.decompress(path.read_bytes()), np.uint8)
    rows = len(raw) // 22  # two columns of one byte, five of four
    event, kind = raw[:rows], raw[rows : 2 * rows]
    planes = raw[2 * rows :].reshape(5, 4, rows).transpose(0, 2, 1)  # bytes of equal weight stand together
    microseconds, size, flow, seq, uid = np.cumsum(planes.copy().view("<i4")[..., 0], axis=1, dtype=np.int64)
    nodes = np.where(kind == 2, "1 0 ", "0 1 ") if with_nodes else np.full(rows, "")
    columns = zip(event, microseconds, nodes, TYPES[kind], size, flow, seq, uid, strict=True)
    return [f"{'+-dr'[e]} {us / 1e6:.15g} {n}{k} {b} {f} {s} {u}" for e, us, n, k, b, f, s, u in columns]


def counts(folder: str) -> dict[str, Any]:
    """Per trace and flow: sent, dropped, received, received bytes."""
    content: dict[str, object] = json.loads((GOLDEN / folder / "counts.json").read_text())
    return content


def first_difference(ours: list[str], golden: list[str]) -> str:
    """Where two traces part, for a person; empty when they are equal."""
    for number, (mine, theirs) in enumerate(zip(ours, golden, strict=False), start=1):
        if mine != theirs:
            return f"line {number}: ours {mine!r}, ns-2's {theirs!r}"
    return "" if len(ours) == len(golden) else f"ours has {len(ours)} lines, ns-2's {len(golden)}"
