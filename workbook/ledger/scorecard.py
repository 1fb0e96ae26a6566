"""All verdicts of all sources: counted, listed, written as JSON and as rows for the README."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from workbook.ledger.claim import Count, Source
from workbook.ledger.verdict import VERDICTS, Judgment, Verdict

COUNTS: tuple[Count, ...] = get_args(Count)


@dataclass(frozen=True)
class Verdicts:
    """One source and the judgments on its claims, in the order of its claims file."""

    source: Source
    judgments: Sequence[Judgment]

    def count(self, verdict: Verdict, counts_as: Count | None = None) -> int:
        """How many claims got `verdict`, among all or those that count as numbers, sentences, figures."""
        return sum(
            judgment.verdict == verdict and counts_as in (None, judgment.claim.counts_as) for judgment in self.judgments
        )

    def total(self, counts_as: Count | None = None) -> int:
        """How many claims there are."""
        return sum(self.count(verdict, counts_as) for verdict in VERDICTS)


@dataclass(frozen=True)
class Scorecard:
    """The verdicts on every claim of every source."""

    sources: Sequence[Verdicts]

    @property
    def judgments(self) -> list[Judgment]:
        """All judgments, source by source."""
        return [judgment for verdicts in self.sources for judgment in verdicts.judgments]

    @property
    def failed(self) -> list[Judgment]:
        """The printed numbers that had to come out exactly and did not; with any, the build fails."""
        return [judgment for judgment in self.judgments if judgment.fails]

    def to_table(self, everything: bool = False) -> str:
        """The counts, then every claim that was not reproduced (or simply every claim), with the reason."""
        listed = [*_counts(self.sources), ""]
        for verdict in VERDICTS if everything else VERDICTS[1:]:
            listed += _listing(verdict, [each for each in self.judgments if each.verdict == verdict])
        return "\n".join(listed).rstrip()

    def to_markdown(self) -> str:
        """One row a source for the README: what was reproduced of what there is, and the other verdicts."""
        head = ["source", *(f"{count}s" for count in COUNTS), *VERDICTS[1:]]
        rows = [[verdicts.source.title, *map(str, _cells(verdicts))] for verdicts in self.sources]
        lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def to_json(self) -> str:
        """Per source the counts, and each claim with verdict, reason, value and what it came from."""
        sources = [_as_mapping(verdicts) for verdicts in self.sources]
        return json.dumps(sources, indent=1, ensure_ascii=False) + "\n"


def _cells(verdicts: Verdicts) -> list[str]:
    reproduced = [f"{verdicts.count('reproduced', count)} of {verdicts.total(count)}" for count in COUNTS]
    return reproduced + [str(verdicts.count(verdict)) for verdict in VERDICTS[1:]]


def _counts(sources: Sequence[Verdicts]) -> Iterator[str]:
    width = max([len(verdicts.source.title) for verdicts in sources], default=6)
    yield f"{'source':{width}}  {'':9}" + "".join(f"  {verdict:>19}" for verdict in VERDICTS) + "  claims"
    for verdicts in sources:
        for count in COUNTS:
            numbers = "".join(f"  {verdicts.count(verdict, count):19}" for verdict in VERDICTS)
            yield f"{verdicts.source.title:{width}}  {count + 's':9}{numbers}  {verdicts.total(count):6}"


def _listing(verdict: Verdict, judgments: Sequence[Judgment]) -> Iterator[str]:
    if not judgments:
        return
    yield f"{verdict} ({len(judgments)})"
    for judgment in judgments:
        yield f"  {judgment.claim.id}: “{judgment.claim.quote}”"
        yield f"      {judgment.reason}" + (" [the build fails]" if judgment.fails else "")
    yield ""


def _as_mapping(verdicts: Verdicts) -> dict[str, Any]:
    counts = {count: {verdict: verdicts.count(verdict, count) for verdict in VERDICTS} for count in COUNTS}
    return {
        "source": verdicts.source.model_dump(),
        "counts": counts,
        "claims": [_claim_as_mapping(judgment) for judgment in verdicts.judgments],
    }


def _claim_as_mapping(judgment: Judgment) -> dict[str, Any]:
    return {
        **judgment.claim.model_dump(exclude_none=True),
        "verdict": judgment.verdict,
        "reason": judgment.reason,
        "value": judgment.value,
        "read": dict(judgment.read),
        "fails": judgment.fails,
    }
