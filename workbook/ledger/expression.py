"""Evaluates the expressions of a claims file safely: names, literals, arithmetic, comparisons, functions.

Claims files are data that anyone may send in. simpleeval walks the syntax tree and knows nothing but what it
is given here; powers, shifts and text are left out, as a short expression could fill the memory with them.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes, InvalidExpression

from workbook.ledger.error import LedgerError
from workbook.ledger.results import Branch

FUNCTIONS = {"min": min, "max": max, "abs": abs, "round": round, "sum": sum, "all": all, "any": any}
# Beyond any result here; also refuses infinity and "not a number", which fail every comparison.
LARGEST = 1e15
REFUSED = (
    *(ast.Pow, ast.LShift, ast.RShift, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert),
    *(ast.JoinedStr, ast.DictComp, ast.Dict, ast.Set),
)


@dataclass(frozen=True)
class Evaluated:
    """The value of an expression and the results it was computed from."""

    value: Any
    read: Mapping[str, Any]


def evaluate(expression: str, results: Mapping[str, Any]) -> Evaluated:
    """The value of `expression`, its names looked up in `results` (see `load_results`).

    Raises:
        LedgerError: it is no expression, does what is not allowed, names what does not exist, or is no value.
    """
    read: dict[str, Any] = {}
    try:
        value = _evaluator(Branch(dict(results), "", read)).eval(expression, _parsed(expression))
    except LedgerError as error:
        raise error.within(expression) from error
    except (InvalidExpression, SyntaxError, TypeError, ArithmeticError, LookupError, ValueError) as error:
        raise LedgerError(f"{expression}: {_said_plainly(error)}{_values(read)}") from error
    if isinstance(value, Branch):
        raise LedgerError(f"{expression}: this is {value!r}, not a value")
    return Evaluated(value, read)


def number(expression: str, results: Mapping[str, Any]) -> Evaluated:
    """Like `evaluate`, for an expression that must give a finite number."""
    found = evaluate(expression, results)
    is_number = isinstance(found.value, int | float) and not isinstance(found.value, bool)
    if not is_number or not abs(found.value) < LARGEST:
        raise LedgerError(f"{expression}: gave {found.value!r}, not a number{_values(found.read)}")
    return found


def truth(expression: str, results: Mapping[str, Any]) -> Evaluated:
    """Like `evaluate`, for an expression that must be true or false."""
    found = evaluate(expression, results)
    if not isinstance(found.value, bool):
        raise LedgerError(f"{expression}: gave {found.value!r}, neither true nor false{_values(found.read)}")
    return found


def _parsed(expression: str) -> ast.expr:
    """The syntax tree of one expression; assignments and several statements are syntax errors here."""
    tree = ast.parse(expression.strip(), mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, REFUSED):
            raise LedgerError(f"{type(node).__name__} is not allowed; functions are {', '.join(FUNCTIONS)}")
    return tree


def _evaluator(names: Branch) -> Any:
    operators = {node: function for node, function in DEFAULT_OPERATORS.items() if node not in REFUSED}
    return EvalWithCompoundTypes(operators=operators, functions=dict(FUNCTIONS), names=names)


def _said_plainly(error: Exception) -> str:
    return error.msg if isinstance(error, SyntaxError) else str(error)


def _values(read: Mapping[str, Any]) -> str:
    return f" (with {describe(read)})" if read else ""


def describe(read: Mapping[str, Any]) -> str:
    """`two_tcp.baseline.flow1.latency_ms.steady.max = 118.3, ...` for the results that were read."""
    return ", ".join(f"{path} = {_short(value)}" for path, value in read.items())


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
