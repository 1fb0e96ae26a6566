"""What a story computes of its runs: formulas of named measures, as trees for Python and for the page's script."""

import ast
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import numpy as np
import xarray as xr

from simcore import metrics
from workbook.reading.parting import events_of_run, parting

Tree = Any  # a number; or a list: a sign or a measure's name, then its operands: trees, or names of runs and a flow
Runs = Mapping[str, xr.Dataset]

SIGNS: Final[Mapping[type[ast.AST], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
EVALUATE: Final[Mapping[str, Callable[..., Any]]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "and": lambda *each: all(each),
}  # fmt: skip


class FormulaError(ValueError):
    """A formula that cannot be computed; the message is for a person."""


def _latency_ms(ds: xr.Dataset, flow: int) -> float:
    return float(metrics.latency_ms(ds, flow).values.mean())


def _first_drop_s(ds: xr.Dataset) -> float:
    return float(min(np.min(metrics.drop_times_s(ds, int(flow)), initial=np.inf) for flow in ds["flow"].values))


def _parts_s(one: xr.Dataset, other: xr.Dataset) -> float:
    found = parting(events_of_run(one), events_of_run(other), whole_row=True)
    return float("inf") if found is None else found.at_s


OF_FLOWS: Final[Mapping[str, Callable[[xr.Dataset, int], float]]] = {
    "goodput_kbps": lambda ds, flow: float(metrics.goodput_kbps(ds).sel(flow=flow)),
    "throughput_kbps": lambda ds, flow: float(metrics.throughput_kbps(ds).sel(flow=flow)),
    "sent": lambda ds, flow: float(ds["sent"].sel(flow=flow)),
    "dropped": lambda ds, flow: float(ds["dropped"].sel(flow=flow)),
    "timeouts": lambda ds, flow: float(ds["timeouts"].sel(flow=flow)),
    "fast_retransmits": lambda ds, flow: float(ds["fast_retransmits"].sel(flow=flow)),
    "latency_ms": _latency_ms,
}
OF_RUNS: Final[Mapping[str, Callable[[xr.Dataset], float]]] = {
    "used_percent": lambda ds: float(metrics.utilisation_percent(ds)),
    "rate_kbps": lambda ds: 1e3 * float(metrics.rate_mbps(ds)),
    "first_drop_s": _first_drop_s,
}
OF_PAIRS: Final[Mapping[str, Callable[[xr.Dataset, xr.Dataset], float]]] = {"parts_s": _parts_s}
MEASURES: Final = (*OF_FLOWS, *OF_RUNS, *OF_PAIRS)


def tree_of(text: str, runs: Collection[str], numbers: Mapping[str, Tree]) -> Tree:
    """A formula as a tree; names of other numbers stand for their trees. Raises FormulaError."""
    try:
        parsed = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise FormulaError(f"{text!r} is no formula; an example: 100 * goodput_kbps({next(iter(runs))}, 1)") from None
    return _tree(parsed, runs, numbers)


def _tree(node: ast.AST, runs: Collection[str], numbers: Mapping[str, Tree]) -> Tree:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if name in numbers:
            return numbers[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ["-", 0, _tree(operand, runs, numbers)]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SIGNS:
            return [SIGNS[type(op)], _tree(left, runs, numbers), _tree(right, runs, numbers)]
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in SIGNS for op in ops):
            sides = [_tree(each, runs, numbers) for each in (left, *others)]
            pairs = zip(ops, sides[:-1], sides[1:], strict=True)
            return ["and", *([SIGNS[type(op)], one, other] for op, one, other in pairs)]
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]):
            return _measured(name, given, runs)
    known = f"; known here: {', '.join(numbers)}" if numbers else ""
    raise FormulaError(f"{ast.unparse(node)} is not known{known}; measures: {', '.join(MEASURES)}")


def _measured(name: str, given: list[ast.expr], runs: Collection[str]) -> Tree:
    if name not in MEASURES:
        raise FormulaError(f"{name}: no such measure; there is {', '.join(MEASURES)}")
    operands = [each.id if isinstance(each, ast.Name) else getattr(each, "value", None) for each in given]
    wanted = {**dict.fromkeys(OF_FLOWS, 1), **dict.fromkeys(OF_RUNS, 1), **dict.fromkeys(OF_PAIRS, 2)}[name]
    own, rest = operands[:wanted], operands[wanted:]
    if len(own) < wanted or any(run not in runs for run in own):
        raise FormulaError(f"{name}: of {'two runs' if wanted == 2 else 'a run'} of this story: {', '.join(runs)}")
    if name in OF_FLOWS and not (len(rest) == 1 and isinstance(rest[0], int) and rest[0] >= 1):
        raise FormulaError(f"{name}: of a run and a flow, which counts from 1")
    if name not in OF_FLOWS and rest:
        raise FormulaError(f"{name}: of nothing but {'two runs' if wanted == 2 else 'a run'}")
    return [name, *operands]


def flows_of(tree: Tree) -> set[int]:
    """The flows that a formula asks for."""
    if not isinstance(tree, list):
        return set()
    return {tree[2]} if tree[0] in OF_FLOWS else {flow for each in tree[1:] for flow in flows_of(each)}


def worth(tree: Tree, runs: Runs) -> Any:
    """What a formula comes to in these runs: a number, or whether it holds."""
    if not isinstance(tree, list):
        return tree
    head, *operands = tree
    if head in EVALUATE:
        return EVALUATE[head](*(worth(each, runs) for each in operands))
    if head in OF_FLOWS:
        return OF_FLOWS[head](runs[operands[0]], operands[1])
    return OF_RUNS[head](runs[operands[0]]) if head in OF_RUNS else OF_PAIRS[head](*(runs[run] for run in operands))
