"""Judges one claim: computes what can be computed and says what came out, and why."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Literal

from workbook.ledger.claim import Claim, Distribution, Exact, Figure, Predicate, Tolerance, Untestable
from workbook.ledger.error import LedgerError
from workbook.ledger.expression import Evaluated, Measured, describe, number, truth
from workbook.ledger.results import Results
from workbook.ledger.rounding import as_printed, is_cut_off, is_rounded_by_hand
from workbook.ledger.rulers import PLAIN, RUNS, Ruler, Rulers, digits_margin
from workbook.paths import MANIFEST

Verdict = Literal["reproduced", "differs", "source inconsistent", "not testable"]
VERDICTS: tuple[Verdict, ...] = ("reproduced", "differs", "source inconsistent", "not testable")


@dataclass(frozen=True)
class Evidence:
    """What claims are judged by: the chapters' statistics (see `load_results`), the figures, the rulers."""

    results: Results
    figures: Path
    rulers: Rulers


@dataclass(frozen=True)
class Outcome:
    """A verdict with one line of reason, the value computed, the results behind that, and the rulers used.

    `holds` says whether our value is what the source says (or what its own arithmetic gives): what a negative control
    must not do. `fails` marks a printed number that we should have met and did not: the build must not pass.
    """

    verdict: Verdict
    reason: str
    holds: bool
    value: float | bool | None = None
    read: Mapping[str, object] = field(default_factory=dict)
    measured: Sequence[Measured] = ()
    fails: bool = False

    @property
    def margin(self) -> float | None:
        """off / tolerance of the ruler that is nearest to its bound; above 1 is outside. None if nothing is allowed."""
        return max((each.margin for each in self.measured), default=None)


def outcome(claim: Claim, evidence: Evidence) -> Outcome:
    """What comes out of `claim` by this evidence.

    Raises:
        LedgerError: an expression of the claim cannot be evaluated; each line starts with the claim's id.
    """
    try:
        match claim:
            case Untestable():
                return Outcome("not testable", claim.why, holds=False)
            case Figure():
                return _of_figure(claim, evidence.figures)
            case Predicate():
                return _of_predicate(claim, evidence)
            case Distribution():
                return _of_distribution(claim, evidence)
            case _:
                return _of_number(claim, evidence)
    except LedgerError as error:
        raise error.within(claim.id) from error


def ruler_of(claim: Claim, result: Outcome) -> str:
    """The names of the rulers that decided: the claim's own, or those that its expression called."""
    if isinstance(claim, Predicate):
        return ", ".join(dict.fromkeys(each.ruler for each in result.measured)) or PLAIN
    return claim.ruler


def _of_figure(claim: Figure, figures: Path) -> Outcome:
    chapter, picture = claim.figure.split("/", 1)
    path = figures / chapter / f"{picture}.png"
    if not path.is_file():
        return Outcome("differs", f"figures/{claim.figure}.png was not drawn", holds=False)
    if sha256(path.read_bytes()).hexdigest() != _hashes(figures / chapter).get(f"{picture}.png"):
        return Outcome("differs", f"figures/{claim.figure}.png is not what the chapter drew", holds=False)
    return Outcome("reproduced", f"drawn as figures/{claim.figure}.png", holds=True)


def _hashes(chapter: Path) -> Mapping[str, str]:
    """What a chapter left behind, by its manifest: the hash of each file."""
    manifest = chapter / MANIFEST
    if not manifest.is_file():
        return {}
    try:
        return dict(json.loads(manifest.read_text("utf-8"))["files"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LedgerError(f"{manifest}: damaged; make the chapter again: workbook figures {chapter.name}") from None


def _of_predicate(claim: Predicate, evidence: Evidence) -> Outcome:
    theirs = truth(claim.arithmetic, {}, evidence.rulers) if claim.arithmetic else None
    ours = truth(claim.compare, evidence.results, evidence.rulers) if claim.compare else None
    evaluated = ours or theirs
    assert evaluated is not None  # the schema wants one of the two
    reason = "; ".join(filter(None, [describe(evaluated.read), _least_favourable(evaluated.measured)]))
    if theirs is not None and not theirs.value:
        mine = "" if ours is None else f"; ours: {'so' if ours.value else 'not so'}, {reason}"
        reason = f"the document's own numbers contradict it: not {claim.arithmetic}{mine}"
        holds = bool(ours and ours.value)
        return Outcome("source inconsistent", reason, holds, evaluated.value, evaluated.read, evaluated.measured)
    if ours is None:
        return Outcome("reproduced", f"the document's numbers give it: {claim.arithmetic}", True, True)
    verdict: Verdict = "reproduced" if ours.value else "differs"
    return Outcome(verdict, reason, ours.value, ours.value, ours.read, ours.measured)


def _least_favourable(measured: Sequence[Measured]) -> str:
    """`same 0.0123`: the least favourable use of each ruler."""
    worst = {each.ruler: each for each in sorted(measured, key=lambda each: each.margin)}
    return ", ".join(f"{name} {each.value:.4g}" for name, each in worst.items())


def _of_distribution(claim: Distribution, evidence: Evidence) -> Outcome:
    read: Results = {}
    for name in ("n", "mean", "sd", "min", "max"):
        read |= number(f"{claim.compare}.{name}", evidence.results, evidence.rulers).read
    n, mean, sd, least, greatest = (read[f"{claim.compare}.{name}"] for name in ("n", "mean", "sd", "min", "max"))
    off = claim.off_by(least, greatest)
    where = f"outside, {abs(off):.3g} too {'low' if off < 0 else 'high'}" if off else "inside"
    deviations = f", {abs(float(claim.said) - mean) / sd:.1f} sd from the mean" if sd else ""
    reason = f"said {claim.said}, {n} runs {mean:.4g} ± {sd:.2g}, {least:.4g} to {greatest:.4g}: {where}{deviations}"
    half = (greatest - least) / 2 + float(claim.half_a_digit)
    margin = abs(float(claim.said) - (greatest + least) / 2) / half
    verdict: Verdict = "differs" if off else "reproduced"
    return Outcome(verdict, reason, not off, mean, read, [Measured(RUNS, float(claim.said), margin)])


def _of_number(claim: Exact | Tolerance, evidence: Evidence) -> Outcome:
    theirs = number(claim.arithmetic, {}, evidence.rulers).value if claim.arithmetic else None
    ours = number(claim.compare, evidence.results, evidence.rulers) if claim.compare else None
    if theirs is not None and not is_rounded_by_hand(theirs, claim.said):
        return _of_slip(claim, theirs, ours, evidence.rulers)
    if ours is None:
        return Outcome("reproduced", f"the document's numbers give it: {claim.arithmetic}", True, theirs)
    return _of_value(claim, ours, evidence.rulers)


def _of_value(claim: Exact | Tolerance, ours: Evaluated, rulers: Rulers) -> Outcome:
    measured, holds = _measured(claim, ours.value, rulers)
    reason = f"said {_expected(claim, rulers)}, computed {_digits(ours.value)}"
    if holds:
        return Outcome("reproduced", reason, True, ours.value, ours.read, [measured])
    off = claim.off_by(ours.value)
    percent = f", {100 * off / abs(ours.value - off):+.2g} %" if ours.value != off else ""
    reason += f": off by {off:+.6g}{percent}"
    return Outcome("differs", reason, False, ours.value, ours.read, [measured], fails=isinstance(claim, Exact))


def _measured(claim: Exact | Tolerance, value: float, rulers: Rulers) -> tuple[Measured, bool]:
    """The claim's ruler, put to a value; whether it admits it."""
    if isinstance(claim, Exact):
        return Measured(claim.ruler, value, digits_margin(value, claim.said)), claim.admits(value)
    ruler = _ruler(claim, rulers)
    measure = ruler.measure(value, float(claim.said))
    return Measured(claim.ruler, measure, ruler.margin(measure)), ruler.admits(measure)


def _ruler(claim: Tolerance, rulers: Rulers) -> Ruler:
    if claim.ruler not in rulers:
        raise LedgerError(f"there is no ruler {claim.ruler!r}; there is: {', '.join(rulers)}")
    return rulers[claim.ruler]


def _expected(claim: Exact | Tolerance, rulers: Rulers) -> str:
    return claim.said if isinstance(claim, Exact) else f"{claim.said} ({claim.ruler}: {_ruler(claim, rulers).says()})"


def _of_slip(claim: Exact | Tolerance, theirs: float, ours: Evaluated | None, rulers: Rulers) -> Outcome:
    """The printed number is not what the source's own arithmetic gives; ours may agree with either."""
    cut = ", cut off instead of rounded" if is_cut_off(theirs, claim.said) else ""
    reason = f"{claim.arithmetic} = {_digits(theirs)}, printed as {claim.said}{cut}"
    if ours is None:
        return Outcome("source inconsistent", reason, False, theirs)
    corrected = claim.model_copy(update={"said": str(as_printed(theirs, claim.said))})
    both = {"the arithmetic": corrected, "the printed number": claim}
    agreeing = [name for name, version in both.items() if _measured(version, ours.value, rulers)[1]]
    reason += f"; our {_digits(ours.value)} agrees with {' and '.join(agreeing) or 'neither'}"
    # Without this a wrong `arithmetic` could excuse a printed number that we miss.
    missed = isinstance(claim, Exact) and not agreeing
    measured = [_measured(claim, ours.value, rulers)[0]]
    return Outcome("source inconsistent", reason, bool(agreeing), ours.value, ours.read, measured, fails=missed)


def _digits(value: float) -> str:
    """All digits that a printed number of the sources could have, and no binary noise."""
    return f"{value:.10g}"
