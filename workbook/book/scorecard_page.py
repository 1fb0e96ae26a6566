"""The scorecard's page, and a page for each source document: what it says, and what came out."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from workbook.ledger.judgment import Judgment
from workbook.ledger.scorecard import Scorecard, Verdicts
from workbook.ledger.verdict import VERDICTS

MEANINGS = """\
Only what was *predicted* makes a headline: what we put in, or adjusted until it fits, is counted apart. *Differs* means
that our model contradicts the text (in the two tutorials it is exact to the packet); *source inconsistent*, that the
document contradicts itself, and the arithmetic is shown. What words mean stands once, in claims/rulers.yaml.
No verdict is typed: each is computed from the numbers of the chapters."""


def write_scorecard(card: Scorecard, pages: Path) -> list[str]:
    """Write the pages; return the names of those of the sources."""
    lines = ["# Scorecard", "", card.to_markdown(), "", MEANINGS, ""]
    (pages / "scorecard.md").write_text("\n".join(lines), "utf-8")
    for verdicts in card.sources:
        (pages / f"{_page(verdicts)}.md").write_text("\n".join(_source(verdicts)) + "\n", "utf-8")
    return [_page(verdicts) for verdicts in card.sources]


def _page(verdicts: Verdicts) -> str:
    return f"claims-{verdicts.source.key}"


def _source(verdicts: Verdicts) -> Iterator[str]:
    yield from (f"# Claims: {verdicts.source.title}", "", f"By {verdicts.source.authors}.", "")
    for verdict in (*VERDICTS[1:], VERDICTS[0]):  # what was reproduced comes last: it is what there is most of
        judged = [each for each in verdicts.judgments if each.verdict == verdict]
        if judged:
            yield from (f"## {verdict.capitalize()} ({len(judged)})", "", *_table(judged), "")


def _table(judged: Sequence[Judgment]) -> Iterator[str]:
    yield from ("| the document's words | place | status | ruler, margin | what came out |", "| --- " * 5 + "|")
    for each in judged:
        reason = f"{_cell(each.reason)}<br>*{_cell(each.claim.because)}*" if each.claim.because else _cell(each.reason)
        margin = "" if each.outcome.margin is None else f", {each.outcome.margin:.2g}"
        words = f'<a id="{each.claim.id}"></a>“{_cell(each.claim.quote)}” | {_cell(each.claim.place)}'
        yield f"| {words} | {each.claim.status} | {_cell(each.ruler)}{margin} | {reason} |"


def _cell(text: str) -> str:
    """Words of others in a table of Markdown: nothing in them is markup."""
    for mark in "\\|*_`$<>[]{}#":
        text = text.replace(mark, f"\\{mark}" if mark not in "<>" else {"<": "&lt;", ">": "&gt;"}[mark])
    return " ".join(text.split())
