"""Evaluates the expressions of a claims file safely: names, literals, arithmetic, comparisons, functions, rulers.

Claims files are data that anyone may send in. simpleeval walks the syntax tree and knows nothing but what it
is given here; powers, shifts and text are left out, as a short expression could fill the memory with them.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from statistics import fmean
from typing import Any

from simpleeval import DEFAULT_OPERATORS, EvalWithCompoundTypes, InvalidExpression

from workbook.ledger.error import LedgerError
from workbook.ledger.results import Branch, Results
from workbook.ledger.rulers import BOUNDED, Ruler, Rulers

FUNCTIONS: dict[str, Callable[..., object]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "round": round,
    "sum": sum,
    "all": all,
    "any": any,
    "mean": fmean,
}
# Beyond any result here; also refuses infinity and "not a number", which fail every comparison.
LARGEST = 1e15
LONGEST = 12  # a list with more values is not written out in a line of text
REFUSED = (
    *(ast.Pow, ast.LShift, ast.RShift, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert),
    *(ast.JoinedStr, ast.DictComp, ast.Dict, ast.Set),
)


@dataclass(frozen=True)
class Measured:
    """One use of a ruler: what it looked at, and how much of what it allows that uses up (1 is the bound)."""

    ruler: str
    value: float
    margin: float


@dataclass(frozen=True)
class Evaluated:
    """The value of an expression, the results it was computed from, and the rulers it used."""

    value: Any
    read: Mapping[str, object]
    measured: Sequence[Measured] = ()


def evaluate(expression: str, results: Results, rulers: Rulers) -> Evaluated:
    """The value of `expression`, its names looked up in `results` (see `load_results`), its rulers in `rulers`.

    Raises:
        LedgerError: it is no expression, does what is not allowed, names what does not exist, or is no value.
    """
    read: dict[str, object] = {}
    measured: list[Measured] = []
    bounded = {name: ruler for name, ruler in rulers.items() if ruler.form in BOUNDED}
    functions = FUNCTIONS | {name: partial(_measure, name, ruler, measured) for name, ruler in bounded.items()}
    try:
        value = _evaluator(Branch(dict(results), "", read), functions).eval(expression, parsed(expression))
    except LedgerError as error:
        raise error.within(expression) from error
    except RecursionError:
        raise LedgerError(f"{expression[:60]}...: nested too deeply") from None
    except (InvalidExpression, SyntaxError, TypeError, ArithmeticError, LookupError, ValueError) as error:
        raise LedgerError(f"{expression}: {_message_of(error)}{_values(read)}") from error
    if isinstance(value, Branch):
        raise LedgerError(f"{expression}: this is {value!r}, not a value")
    return Evaluated(value, read, measured)


def number(expression: str, results: Results, rulers: Rulers) -> Evaluated:
    """Like `evaluate`, for an expression that must give a finite number."""
    result = evaluate(expression, results, rulers)
    is_number = isinstance(result.value, int | float) and not isinstance(result.value, bool)
    if not is_number or not abs(result.value) < LARGEST:
        raise LedgerError(f"{expression}: gave {result.value!r}, not a number{_values(result.read)}")
    return result


def truth(expression: str, results: Results, rulers: Rulers) -> Evaluated:
    """Like `evaluate`, for an expression that must be true or false."""
    result = evaluate(expression, results, rulers)
    if not isinstance(result.value, bool):
        raise LedgerError(f"{expression}: gave {result.value!r}, neither true nor false{_values(result.read)}")
    return result


@lru_cache(maxsize=4096)
def parsed(expression: str) -> ast.expr:
    """The syntax tree of one expression; assignments and several statements are syntax errors here."""
    tree = ast.parse(expression.strip(), mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, REFUSED):
            raise LedgerError(f"{type(node).__name__} is not allowed; functions are {', '.join(FUNCTIONS)}")
    return tree


def _measure(name: str, ruler: Ruler, measured: list[Measured], *numbers: float) -> bool:
    value = ruler.measure(*numbers)
    measured.append(Measured(name, value, ruler.margin(value)))
    return ruler.admits(value)


def _evaluator(names: Branch, functions: Mapping[str, Callable[..., object]]) -> Any:
    operators = {node: function for node, function in DEFAULT_OPERATORS.items() if node not in REFUSED}
    return EvalWithCompoundTypes(operators=operators, functions=dict(functions), names=names)


def _message_of(error: Exception) -> str:
    return error.msg if isinstance(error, SyntaxError) else str(error)


def _values(read: Mapping[str, object]) -> str:
    return f" (with {describe(read)})" if read else ""


def describe(read: Mapping[str, object]) -> str:
    """`two_tcp.baseline.flow1.latency_ms.steady.max = 118.3, ...` for the results that were read."""
    return ", ".join(f"{path} = {short(value)}" for path, value in read.items())


def short(value: object) -> str:
    """A value in a line of text."""
    if isinstance(value, list) and len(value) > LONGEST:
        return f"{len(value)} values"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
