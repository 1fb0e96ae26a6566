"""Finds numbers in the expression for some words that are neither the source's nor plain: thresholds."""

import ast
import re
from collections.abc import Iterator

from workbook.ledger.claim import Predicate
from workbook.ledger.expression import parsed

PLAIN = {0, 1}  # none and one, first and once
UNITS = {8, 100, 1000, 1024, 1e6, 1e9}  # bits in a byte, per cent, kilo, KB, mega, giga: only as factors
WORDS = {
    **{"half": 0.5, "quarter": 0.25, "third": 3, "double": 2, "twice": 2, "ten": 10, "tenth": 0.1},
    **{"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9},
}


def thresholds(claim: Predicate) -> list[str]:
    """The numbers in `compare` that the quote does not have; an expression that can't be read has none yet."""
    if claim.compare is None:
        return []
    try:
        tree = parsed(claim.compare)
    except (SyntaxError, ValueError):
        return []  # the judge says so
    quoted = _numbers_in(f"{claim.quote} {claim.said or ''}")
    factors = set(_factors(tree))
    return [
        f"{node.value!r} in `compare`: a number that the quote has not is a threshold; use one of claims/rulers.yaml"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
        if node.value not in PLAIN | quoted and not (node in factors and node.value in UNITS)
    ]


def _numbers_in(quote: str) -> set[float]:
    """The numbers in a quote, in digits or in words."""
    digits = {float(match.replace(",", "")) for match in re.findall(r"\d+(?:[.,]\d+)*", quote) if match.count(".") < 2}
    return digits | {number for word, number in WORDS.items() if re.search(rf"\b{word}\b", quote, re.IGNORECASE)}


def _factors(tree: ast.expr) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            yield from (node.left, node.right)
