"""A chapter's claims as a table for its notebook."""

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler

from workbook.ledger.book import load_book
from workbook.ledger.claim import Claim, Figure
from workbook.ledger.error import LedgerError
from workbook.ledger.judgment import Judgment
from workbook.ledger.results import as_name, as_names, load_results
from workbook.ledger.rulers import load_rulers
from workbook.ledger.sources import cell_of, evidence
from workbook.ledger.verdict import Evidence, Outcome, outcome, ruler_of
from workbook.paths import REPO, Places

COLUMNS = ["id", "quote", "ruler", "value", "margin", "status", "verdict", "reason", "figure", "cell"]
COLOURS = {"reproduced": "#e3f0fa", "differs": "#fadbd8", "source inconsistent": "#fdebd0", "not testable": "#eeeeee"}

LEFT: list[Any] = [{"selector": "td, th", "props": "text-align: left"}]


def claims_table(
    source: str, chapter: str, statistics: Mapping[str, Any] | None = None, case: str = "", places: Places = REPO
) -> pd.DataFrame:
    """The claims of `source` that the cases of `chapter` decide, a row each, in the order of the document.

    Parameters
    ----------
    source
        The name of a file in claims/ without its ending.
    chapter, case
        Rows are claims that read results of this chapter (and of this case, if given) or are figures of it.
    statistics
        The chapter's statistics by case, if they are newer than those in figures/.

    Returns
    -------
    pandas.DataFrame
        Columns id, quote, ruler, value, margin (off / tolerance), status, verdict, reason, figure (or the numbers, that
        decide it: a path in the repository) and cell (that makes them: a link from a notebook beside it).
        Claims whose other results are not there yet are left out: `workbook claims` has them all.
    """
    results = load_results(places.figures)
    results |= as_names({chapter: statistics}) if statistics is not None else {}
    evidence = Evidence(results, places.figures, load_rulers(places.claims / "rulers.yaml"))
    rows = []
    for claim in load_book(places.claims / f"{source}.yaml").claims:
        try:
            result = outcome(claim, evidence)
        except LedgerError:
            continue  # it needs another chapter's results, and that chapter was not made yet
        if _is_of(claim, result, as_name(chapter), as_name(case)):
            rows.append(_row(claim, result, places))
    return pd.DataFrame(rows, columns=COLUMNS)


def claims_styled(table: pd.DataFrame, up: str = "..") -> Styler:
    """The table with verdicts in colour, figure and cell as links; `up` leads from the notebook to the repository."""
    figures = [_link(f"{up}/{path}", Path(path).stem) if path else "" for path in table["figure"]]
    cells = [_link(cell, cell.rpartition("=")[2]) if cell else "" for cell in table["cell"]]
    shown = table.assign(figure=figures, cell=cells)
    verdicts = shown.style.map(lambda verdict: f"background-color: {COLOURS[verdict]}", subset=["verdict"])
    return verdicts.format(precision=4, na_rep="").hide(axis="index").set_table_styles(LEFT)


def claims_by_figure(judgments: Iterable[Judgment], places: Places) -> dict[Path, list[Judgment]]:
    """From a figure back to the claims that it decides; the first figure of each claim."""
    judged: dict[Path, list[Judgment]] = {}
    for judgment in judgments:
        if figure := deciding(judgment.claim, judgment.outcome, places):
            judged.setdefault(figure, []).append(judgment)
    return judged


def deciding(claim: Claim, result: Outcome, places: Places) -> Path | None:
    """The figure that decides a claim; the numbers of its case if there is no figure of them."""
    files = evidence(claim, result.read, places)
    return next((file for file in files if file.suffix == ".png"), files[0] if files else None)


def _is_of(claim: Claim, result: Outcome, chapter: str, case: str) -> bool:
    read = [claim.figure.split("/")] if isinstance(claim, Figure) else [path.split(".") for path in result.read]
    return any(as_name(parts[0]) == chapter and case in ("", as_name(parts[1])) for parts in read)


def _row(claim: Claim, result: Outcome, places: Places) -> list[object]:
    margin = None if result.margin is None else round(result.margin, 3)
    measured = [ruler_of(claim, result), result.value, margin, claim.status]
    figure = deciding(claim, result, places)
    cell = cell_of(figure, places) if figure else None
    where = [figure.relative_to(places.root).as_posix() if figure else "", cell.link if cell else ""]
    return [claim.id, claim.quote, *measured, result.verdict, result.reason, *where]


def _link(target: str, words: str) -> str:
    return f'<a href="{escape(target)}">{escape(words)}</a>'
