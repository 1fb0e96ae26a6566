"""Reads a claims file and says, for a person, everything that is wrong with it."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simcore.scenario.loading import ScenarioError, load_mapping
from workbook.ledger.claim import Book, Predicate
from workbook.ledger.error import LedgerError
from workbook.ledger.thresholds import thresholds

# What pydantic calls by names that mean nothing to who writes a claims file.
PLAIN = {
    "extra_forbidden": "there is no such key",
    "missing": "this is missing",
    "model_type": "allowed: keys with values",
    "union_tag_not_found": "this needs a `kind`",
}


def load_book(path: Path) -> Book:
    """Read one claims file.

    Raises:
        LedgerError: a line for each thing that is wrong: file, claim id, dotted path, given, allowed.
    """
    try:
        mapping = load_mapping(path)
    except ScenarioError as error:  # of any YAML file that cannot be read
        raise LedgerError(str(error)) from error
    try:
        book = Book.model_validate(mapping)
    except ValidationError as error:
        problems = [_problem(dict(detail), mapping) for detail in error.errors()]
        raise LedgerError(*problems).within(path.name) from error
    words = [claim for claim in book.claims if isinstance(claim, Predicate)]
    typed = [f"{claim.id}: {problem}" for claim in words for problem in thresholds(claim)]
    if typed:
        raise LedgerError(*typed).within(path.name)
    return book


def printed(claims: Path) -> dict[str, str]:
    """Every number that the source prints, as it prints it, by the claim's id without the source's key."""
    numbers = {claim.id.partition(".")[2]: getattr(claim, "said", None) for claim in load_book(claims).claims}
    return {name: number for name, number in numbers.items() if number}


def _problem(detail: dict[str, Any], mapping: dict[str, Any]) -> str:
    """One line: `two-tcp.baseline.flow1.kb: claims.3.said: given 1109.1; allowed: a valid string`."""
    # pydantic puts the kind after a claim's number (claims, 3, exact, said); it is no key of the file.
    where = [part for index, part in enumerate(detail["loc"]) if index != 2]
    message = PLAIN.get(detail["type"]) or detail["msg"].removeprefix("Value error, ")
    message = message.replace("Input should be", "allowed:")
    given = "" if isinstance(detail["input"], dict | list) else f"given {detail['input']!r}; "
    return ": ".join(filter(None, [_claim_id(where, mapping), ".".join(map(str, where)), given + message]))


def _claim_id(where: list[Any], mapping: dict[str, Any]) -> str:
    if where[:1] != ["claims"] or len(where) < 2:
        return ""
    claim = mapping["claims"][where[1]]
    return str(claim.get("id", "")) if isinstance(claim, dict) else ""
