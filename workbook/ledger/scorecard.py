"""All verdicts of all sources: counted by status, listed, written as JSON and as rows for the README."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from workbook.ledger.claim import STATUSES, Count, Source, Status
from workbook.ledger.judgment import Judgment
from workbook.ledger.verdict import VERDICTS, Verdict

COUNTS: tuple[Count, ...] = get_args(Count)
KINDS: tuple[Count, ...] = ("number", "sentence")  # what can be predicted; figures are redrawn
# What readers who don't know the ledger understand.
IN_WORDS: dict[Verdict, str] = {
    "reproduced": "came out",
    "differs": "came out otherwise",
    "source inconsistent": "the source contradicts itself",
    "not testable": "nobody can test it",
}
PARTS: dict[Status, str] = {
    "input": "put in",
    "fitted": "adjusted until it fits",
    "redrawn": "figures drawn again",
    "external": "facts, sums, remarks",
    "measured": "our own",
}
MEANINGS: dict[Verdict | Status, str] = {
    "reproduced": "our number is the document's, as exactly as its words promise; or the sentence is true of our runs",
    "differs": "our number is another, or the sentence is not true of our runs",
    "source inconsistent": "the document's own numbers or sentences contradict each other, whatever we run",
    "not testable": "no run could show that it is true, or false",
    "predicted": "nothing was chosen so that it comes out: only this counts as success or failure",
    "input": "the document says it, and we set it so: it had to come out",
    "fitted": "something that the document leaves open was chosen so that it comes out: no success either",
    "redrawn": "the original is lost: that there is a figure says nothing of how like it is",
    "external": "a cited fact, the document's own sum, an opinion, a plan: no run of ours decides it",
    "measured": "what we found and the document doesn't say",
}


@dataclass(frozen=True)
class Verdicts:
    """One source and the judgments on its claims, in the order of its claims file."""

    source: Source
    judgments: Sequence[Judgment]

    def count(
        self, verdict: Verdict | None = None, counts_as: Count | None = None, status: Status | None = None
    ) -> int:
        """How many claims there are with this verdict, of this kind and this status (None: any)."""
        return sum(
            verdict in (None, each.verdict)
            and counts_as in (None, each.claim.counts_as)
            and status in (None, each.claim.status)
            for each in self.judgments
        )

    @property
    def predicted(self) -> list[Count]:
        """The kinds of claim of which it has predictions: a study of our own has none, and no row in the headline."""
        return [kind for kind in KINDS if self.count(counts_as=kind, status="predicted")]


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

    def headline(self) -> str:
        """What was predicted, in one sentence."""
        came, tested = (sum(each(verdicts) for verdicts in self.sources) for each in (_came_out, _tested))
        return f"{came} of {tested} predictions that can be tested came out."

    def to_table(self) -> str:
        """The predictions, split by kind; the rest in columns of its own; then every claim that was not reproduced."""
        listed = [*_aligned([*_predictions(self.sources)]), "", *_aligned([*_parts(self.sources)]), ""]
        listed += [self.headline(), "", *_aligned([*_legend()]), ""]
        for verdict in VERDICTS[1:]:
            listed += _listing(verdict, [each for each in self.judgments if each.verdict == verdict])
        listed += _no_control([each for each in self.judgments if each.cannot_fail])
        return "\n".join(listed).rstrip()

    def to_markdown(self) -> str:
        """The same two tables for the README."""
        return "\n".join([*_markdown([*_predictions(self.sources)]), "", *_markdown([*_parts(self.sources)])])

    def to_json(self) -> str:
        """Per source the counts, and each claim with verdict, reason, value and what it came from, a line each."""
        sources = ",\n".join(_lines(_as_mapping(verdicts), verdicts.judgments) for verdicts in self.sources)
        return f"[\n{sources}\n]\n"


def _lines(source: dict[str, object], judgments: Sequence[Judgment]) -> str:
    """A source as JSON: what is said of it in a line, and a line for each of its claims."""
    head = json.dumps(source, ensure_ascii=False)
    claims = ",\n".join(json.dumps(claim_as_mapping(judgment), ensure_ascii=False) for judgment in judgments)
    return f'{head[:-1]}, "claims": [\n{claims}\n]}}'


def _came_out(verdicts: Verdicts) -> int:
    return verdicts.count("reproduced", status="predicted")


def _tested(verdicts: Verdicts) -> int:
    return verdicts.count(status="predicted") - verdicts.count("not testable", status="predicted")


def _predictions(sources: Sequence[Verdicts]) -> Iterator[list[str]]:
    """Rows of the headline table: of what was predicted, numbers and sentences by verdict, and a total."""
    yield ["predicted: what nothing was adjusted to", "", *(IN_WORDS[verdict] for verdict in VERDICTS), "all"]
    for verdicts in sources:
        for kind in verdicts.predicted:
            counts = [verdicts.count(verdict, kind, "predicted") for verdict in VERDICTS]
            yield [verdicts.source.title, f"{kind}s", *map(str, counts), str(sum(counts))]
    for kind in KINDS:
        counts = [sum(each.count(verdict, kind, "predicted") for each in sources) for verdict in VERDICTS]
        yield ["total", f"{kind}s", *map(str, counts), str(sum(counts))]


def _parts(sources: Sequence[Verdicts]) -> Iterator[list[str]]:
    """Rows for what is no prediction, by status, and a total."""
    shown = [status for status in PARTS if any(each.count(status=status) for each in sources)]
    yield ["no predictions", *(PARTS[status] for status in shown), "all"]
    for verdicts in sources:
        counts = [verdicts.count(status=status) for status in shown]
        yield [verdicts.source.title, *map(str, counts), str(sum(counts))]
    counts = [sum(each.count(status=status) for each in sources) for status in shown]
    yield ["total", *map(str, counts), str(sum(counts))]


def _legend() -> Iterator[list[str]]:
    """What the words of the tables mean, for who meets them first: ours, the ledger's, and what it is."""
    for verdict, words in IN_WORDS.items():
        yield [words, f"({verdict})", MEANINGS[verdict]]
    yield ["predicted", "", MEANINGS["predicted"]]
    for status, words in PARTS.items():
        yield [words, f"({status})", MEANINGS[status]]


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = [cell.isdigit() for cell in rows[-1]]
    for row in rows:
        cells = zip(row, widths, numbers, strict=True)
        yield "  ".join(f"{cell:>{width}}" if right else f"{cell:{width}}" for cell, width, right in cells).rstrip()


def _markdown(rows: list[list[str]]) -> Iterator[str]:
    right = ["---:" if cell.isdigit() else "---" for cell in rows[-1]]
    for row in (rows[0], right, *rows[1:]):
        bold = row is rows[-1] or row[0] == "total"
        yield "| " + " | ".join(f"**{cell}**" if bold and cell else cell for cell in row) + " |"


def _listing(verdict: Verdict, judgments: Sequence[Judgment]) -> Iterator[str]:
    if not judgments:
        return
    yield f"{IN_WORDS[verdict]} ({verdict}: {len(judgments)})"
    for judgment in judgments:
        yield f"  {judgment.claim.id} [{judgment.claim.status}]: “{judgment.claim.quote}”"
        yield f"      {judgment.reason}" + (" [the build fails]" if judgment.fails else "")
    yield ""


def _no_control(judgments: Sequence[Judgment]) -> Iterator[str]:
    if judgments:
        yield f"holds in every configuration, and so tells nothing apart ({len(judgments)})"
        yield from (f"  {judgment.claim.id}: “{judgment.claim.quote}”" for judgment in judgments)
        yield ""


def _as_mapping(verdicts: Verdicts) -> dict[str, object]:
    counts = {
        status: {kind: {verdict: verdicts.count(verdict, kind, status) for verdict in VERDICTS} for kind in COUNTS}
        for status in STATUSES
    }
    return {
        "source": verdicts.source.model_dump(),
        "counts": {kind: {verdict: verdicts.count(verdict, kind) for verdict in VERDICTS} for kind in COUNTS},
        "counts_by_status": counts,
    }


def claim_as_mapping(judgment: Judgment) -> dict[str, object]:
    """Everything that is known of one claim, ready for JSON."""
    result, control = judgment.outcome, judgment.control
    fails_with = control and {"configuration": control.says(), "reason": control.outcome.reason}
    return {
        **judgment.claim.model_dump(exclude_none=True, exclude={"by", "control"}),
        "source": judgment.claim.id.partition(".")[0],
        "verdict": judgment.verdict,
        "ruler": judgment.ruler,
        "value": result.value,
        "margin": None if result.margin is None else round(result.margin, 6),
        "reason": judgment.reason,
        "negative_control": fails_with,
        "others": {name: {"verdict": other.verdict, "reason": other.reason} for name, other in judgment.others.items()},
        "read": dict(result.read),
        "fails": judgment.fails,
    }
