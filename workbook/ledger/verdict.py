"""Judges one claim: computes what can be computed and says what came out, and why."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from workbook.fingerprint import MANIFEST
from workbook.ledger.claim import Claim, Distribution, Exact, Figure, Predicate, Range, Tolerance, Untestable
from workbook.ledger.error import LedgerError
from workbook.ledger.expression import Evaluated, describe, number, truth
from workbook.ledger.rounding import as_printed, is_cut_off, is_rounded_by_hand

Verdict = Literal["reproduced", "differs", "source inconsistent", "not testable"]
VERDICTS: tuple[Verdict, ...] = ("reproduced", "differs", "source inconsistent", "not testable")


@dataclass(frozen=True)
class Evidence:
    """What claims are judged by: the chapters' statistics (see `load_results`) and the folder of figures."""

    results: Mapping[str, Any]
    figures: Path


@dataclass(frozen=True)
class Judgment:
    """A claim with its verdict, one line of reason, the value computed for it and the results behind that.

    `fails` marks a printed number that we should have met and did not: the build must not pass.
    """

    claim: Claim
    verdict: Verdict
    reason: str
    value: float | bool | None = None
    read: Mapping[str, Any] = field(default_factory=dict)
    fails: bool = False


def judge(claim: Claim, evidence: Evidence) -> Judgment:
    """The verdict on `claim`.

    Raises:
        LedgerError: an expression of the claim cannot be evaluated; each line starts with the claim's id.
    """
    try:
        match claim:
            case Untestable():
                return Judgment(claim, "not testable", claim.why)
            case Figure():
                return _judge_figure(claim, evidence.figures)
            case Predicate():
                return _judge_predicate(claim, evidence.results)
            case Distribution():
                return _judge_distribution(claim, evidence.results)
            case Range():
                return _judge_value(claim, number(claim.compare, evidence.results))
            case _:
                return _judge_number(claim, evidence.results)
    except LedgerError as error:
        raise error.within(claim.id) from error


def _judge_figure(claim: Figure, figures: Path) -> Judgment:
    chapter, picture = claim.figure.split("/", 1)
    path = figures / chapter / f"{picture}.png"
    if not path.is_file():
        return Judgment(claim, "differs", f"figures/{claim.figure}.png was not drawn")
    if sha256(path.read_bytes()).hexdigest() != _hashes(figures / chapter).get(f"{picture}.png"):
        return Judgment(claim, "differs", f"figures/{claim.figure}.png is not what the chapter drew")
    return Judgment(claim, "reproduced", f"drawn as figures/{claim.figure}.png")


def _hashes(chapter: Path) -> Mapping[str, str]:
    """What a chapter left behind, by its manifest: the hash of each file."""
    manifest = chapter / MANIFEST
    hashes: dict[str, str] = json.loads(manifest.read_text("utf-8"))["files"] if manifest.is_file() else {}
    return hashes


def _judge_predicate(claim: Predicate, results: Mapping[str, Any]) -> Judgment:
    found = truth(claim.compare, results)
    verdict: Verdict = "reproduced" if found.value else "differs"
    elsewhere = {name: truth(compare, results) for name, compare in claim.beside.items()}
    told = [f"{name}: {'so too' if other.value else 'not so'}" for name, other in elsewhere.items()]
    return Judgment(claim, verdict, "; ".join([describe(found.read), *told]), found.value, found.read)


def _judge_distribution(claim: Distribution, results: Mapping[str, Any]) -> Judgment:
    read: dict[str, Any] = {}
    off, told = _among(claim, claim.compare, results, read)
    elsewhere = [f"{name}: {_among(claim, group, results, {})[1]}" for name, group in claim.beside.items()]
    verdict: Verdict = "differs" if off else "reproduced"
    reason = "; ".join([f"said {claim.said}, {told}", *elsewhere])
    return Judgment(claim, verdict, reason, read[f"{claim.compare}.mean"], read)


def _among(claim: Distribution, group: str, results: Mapping[str, Any], read: dict[str, Any]) -> tuple[float, str]:
    """How far the printed number is outside of a distribution, and that in words; `read` takes what was read."""
    for name in ("n", "mean", "sd", "min", "max"):
        read |= number(f"{group}.{name}", results).read
    n, mean, sd, least, greatest = (read[f"{group}.{name}"] for name in ("n", "mean", "sd", "min", "max"))
    off = claim.off_by(least, greatest)
    where = f"outside, {abs(off):.3g} too {'low' if off < 0 else 'high'}" if off else "inside"
    deviations = f", {abs(float(claim.said) - mean) / sd:.1f} sd from the mean" if sd else ""
    return off, f"{n} runs {mean:.4g} ± {sd:.2g}, {least:.4g} to {greatest:.4g}: {where}{deviations}"


def _judge_number(claim: Exact | Tolerance, results: Mapping[str, Any]) -> Judgment:
    theirs = number(claim.arithmetic, {}).value if claim.arithmetic else None
    ours = number(claim.compare, results) if claim.compare else None
    if theirs is not None and not is_rounded_by_hand(theirs, claim.said):
        return _judge_slip(claim, theirs, ours)
    if ours is None:
        return Judgment(claim, "reproduced", f"the document's numbers give it: {claim.arithmetic}", theirs)
    return _judge_value(claim, ours)


def _judge_value(claim: Exact | Tolerance | Range, ours: Evaluated) -> Judgment:
    reason = f"said {claim.expected}, computed {_digits(ours.value)}"
    if claim.admits(ours.value):
        return Judgment(claim, "reproduced", reason, ours.value, ours.read)
    off = claim.off_by(ours.value)
    percent = f", {100 * off / abs(ours.value - off):+.2g} %" if ours.value != off else ""
    reason += f": off by {off:+.6g}{percent}"
    return Judgment(claim, "differs", reason, ours.value, ours.read, fails=isinstance(claim, Exact))


def _judge_slip(claim: Exact | Tolerance, theirs: float, ours: Evaluated | None) -> Judgment:
    """The printed number is not what the source's own arithmetic gives; ours may agree with either."""
    cut = ", cut off instead of rounded" if is_cut_off(theirs, claim.said) else ""
    reason = f"{claim.arithmetic} = {_digits(theirs)}, printed as {claim.said}{cut}"
    if ours is None:
        return Judgment(claim, "source inconsistent", reason, theirs)
    corrected = claim.model_copy(update={"said": str(as_printed(theirs, claim.said))})
    both = {"the arithmetic": corrected, "the printed number": claim}
    agreeing = [name for name, version in both.items() if version.admits(ours.value)]
    reason += f"; our {_digits(ours.value)} agrees with {' and '.join(agreeing) or 'neither'}"
    # Without this a wrong `arithmetic` could excuse a printed number that we miss.
    missed = isinstance(claim, Exact) and not agreeing
    return Judgment(claim, "source inconsistent", reason, ours.value, ours.read, fails=missed)


def _digits(value: float) -> str:
    """All digits that a printed number of the sources could have, and no binary noise."""
    return f"{value:.10g}"
