"""What a source prints of one case beside what came out, as a table for a chapter."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from workbook.ledger.book import load_book
from workbook.ledger.claim import Number
from workbook.ledger.error import LedgerError
from workbook.ledger.results import as_names
from workbook.ledger.verdict import Evidence, Judgment, judge


def beside(claims: Path, chapter: str, case: str, statistics: Mapping[str, Any]) -> pd.DataFrame:
    """Every number that the source prints of `case` and that this chapter's statistics alone decide."""
    evidence = Evidence(as_names({chapter: statistics}), Path())
    mine = f"{chapter}.{case}."
    claimed = [claim for claim in load_book(claims).claims if isinstance(claim, Number) and claim.id.startswith(mine)]
    judgments = [found for claim in claimed if (found := _judged(claim, evidence))]
    rows = [(each.claim.quote, each.claim.said, _came_out(each), each.verdict) for each in judgments]  # type: ignore[union-attr]
    return pd.DataFrame(rows, columns=["the study's words", "said", "came out", "verdict"])


def printed(claims: Path) -> dict[str, str]:
    """Every number that the source prints, as it prints it, by the claim's id without the source's key."""
    return {claim.id.partition(".")[2]: claim.said for claim in load_book(claims).claims if isinstance(claim, Number)}


def _judged(claim: Number, evidence: Evidence) -> Judgment | None:
    """The verdict, or nothing if it needs another chapter's results: the scorecard has it then."""
    try:
        return judge(claim, evidence)  # type: ignore[arg-type]
    except LedgerError:
        return None


def _came_out(judgment: Judgment) -> str:
    return "" if judgment.value is None else f"{judgment.value:.10g}"
