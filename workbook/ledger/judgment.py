"""One claim, judged: the outcome, what other seeds, readings and profiles say, and where the claim fails as it must."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbook.ledger.claim import Claim, Distribution, Source, Swap, Untestable
from workbook.ledger.error import LedgerError
from workbook.ledger.instead import instead, swaps, swaps_measures
from workbook.ledger.results import Results
from workbook.ledger.verdict import Evidence, Outcome, Verdict, outcome, ruler_of


@dataclass(frozen=True)
class Control:
    """A configuration that is wrong for a claim, and what came out of it: the claim must not hold there."""

    swap: Swap
    outcome: Outcome

    def says(self) -> str:
        """`two_tcp.size_100 in place of two_tcp.baseline`; a claim that differs fails where it stands."""
        if not self.swap:
            return "the source's own configuration"
        return " and ".join(f"{other} in place of {path}" for path, other in self.swap.items())


@dataclass(frozen=True)
class Judgment:
    """A claim with its outcome, its negative control, and its outcomes under the source's other readings."""

    claim: Claim
    outcome: Outcome
    control: Control | None
    others: Mapping[str, Outcome]

    @property
    def verdict(self) -> Verdict:
        """What is said of the claim."""
        return self.outcome.verdict

    @property
    def reason(self) -> str:
        """One line, with what the other readings say."""
        readings = [f"{name}: {_agrees(self.outcome, other)}" for name, other in self.others.items()]
        return "; ".join([self.outcome.reason, *readings])

    @property
    def ruler(self) -> str:
        """The names of the rulers that decided."""
        return ruler_of(self.claim, self.outcome)

    @property
    def fails(self) -> bool:
        """Whether a printed number that must be exact is not."""
        return self.outcome.fails

    @property
    def cannot_fail(self) -> bool:
        """Whether a predicted claim holds in every configuration: it tells nothing apart, and must be rewritten."""
        tested = self.claim.status == "predicted" and not isinstance(self.claim, Untestable)
        return tested and self.control is None


def judge(claim: Claim, evidence: Evidence, source: Source) -> Judgment:
    """The verdict on `claim`, with its control.

    Raises:
        LedgerError: an expression cannot be evaluated, a predicted claim reads only what we put in, or its control
            swaps one measure for another.
    """
    result = outcome(claim, evidence)
    if claim.status == "predicted" and result.read and all(".setup." in path for path in result.read):
        raise LedgerError(f"{claim.id}: status predicted, but all it reads is what we put in: it is an input")
    if wrong := swaps_measures(evidence.results, claim.control or {}):
        raise LedgerError(f"{claim.id}: control: {', '.join(wrong)}: another measure, not another configuration of it")
    others = {name: other for name, swap in source.others.items() if (other := _other(claim, result, swap, evidence))}
    return Judgment(claim, result, _control(claim, result, evidence), others)


def judged_together(judgments: Sequence[Judgment], evidence: Evidence) -> list[Judgment]:
    """Numbers of one run, which single runs may have all the same: reproduced only if some one run has all of them."""
    groups: dict[str, list[Distribution]] = {}
    for each in judgments:
        if isinstance(each.claim, Distribution) and each.claim.together:
            groups.setdefault(each.claim.together, []).append(each.claim)
    joint = {name: _runs_with_all(claims, evidence.results) for name, claims in groups.items()}
    return [_jointly(each, groups, joint) for each in judgments]


def _jointly(each: Judgment, groups: Mapping[str, list[Distribution]], joint: Mapping[str, int]) -> Judgment:
    claim = each.claim
    if not (isinstance(claim, Distribution) and claim.together):
        return each
    runs, numbers = joint[claim.together], " and ".join(other.said for other in groups[claim.together])
    reason = f"{each.outcome.reason}; {runs or 'no'} runs have {numbers} together"
    verdict: Verdict = each.verdict if runs else "differs"
    return replace(each, outcome=replace(each.outcome, verdict=verdict, reason=reason, holds=bool(runs)))


def _runs_with_all(claims: Sequence[Distribution], results: Results) -> int:
    """How many single runs may have been rounded to all the printed numbers."""
    columns = [_runs(claim, results) for claim in claims]
    return sum(
        all(claim.off_by(value, value) == 0 for claim, value in zip(claims, values, strict=True))
        for values in zip(*columns, strict=True)
    )


def _runs(claim: Distribution, results: Results) -> list[float]:
    value: Any = results
    for part in claim.compare.split("."):
        value = value[part]
    if "runs" not in value:
        raise LedgerError(f"{claim.id}: {claim.compare}.runs does not exist: numbers that are judged together need it")
    runs: list[float] = value["runs"]
    return runs


def _agrees(result: Outcome, other: Outcome) -> str:
    return "so too" if result.verdict == other.verdict else f"{other.verdict}, {other.reason}"


def _other(claim: Claim, result: Outcome, swap: Swap, evidence: Evidence) -> Outcome | None:
    """What comes out by another reading; nothing if it has not what the claim reads."""
    read = [f"{path}." for path in result.read]
    mine = {path: other for path, other in swap.items() if any(each.startswith(f"{path}.") for each in read)}
    return _outcome_of(claim, mine, evidence) if mine else None


def _control(claim: Claim, result: Outcome, evidence: Evidence) -> Control | None:
    """The first configuration in which the claim does not hold; only predicted claims need one."""
    if claim.status != "predicted":
        return None
    for swap in _candidates(claim, result, evidence):
        other = _outcome_of(claim, swap, evidence)
        if other is not None and not other.holds:
            return Control(swap, other)
    return None if result.holds else Control({}, result)


def _candidates(claim: Claim, result: Outcome, evidence: Evidence) -> Iterator[Swap]:
    if claim.control is not None:
        yield claim.control
    else:
        yield from swaps(evidence.results, result.read)


def _outcome_of(claim: Claim, swap: Swap, evidence: Evidence) -> Outcome | None:
    try:
        return outcome(claim, replace(evidence, results=instead(evidence.results, swap)))
    except LedgerError:
        if claim.control == swap:
            raise
        return None  # that configuration has not what the claim reads
