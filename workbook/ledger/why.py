"""`workbook claims --why ID`: one claim, evaluated before one's eyes."""

from collections.abc import Iterator

from workbook.ledger.expression import short
from workbook.ledger.judgment import Judgment
from workbook.ledger.rulers import Ruler, Rulers
from workbook.ledger.sources import cell_of, evidence
from workbook.paths import Places


def explain(judgment: Judgment, rulers: Rulers, places: Places) -> str:
    """What is said, what was read and from which file, the rulers and what they measured, the control, the others."""
    return "\n".join(_lines(judgment, rulers, places))


def _lines(judgment: Judgment, rulers: Rulers, places: Places) -> Iterator[str]:
    claim, result = judgment.claim, judgment.outcome
    yield from (claim.id, f"  said        “{claim.quote}” ({claim.place})", f"  status      {claim.status}")
    for name in ("said", "arithmetic", "compare", "because", "why"):
        if text := getattr(claim, name, None):
            yield f"  {name:11} {' '.join(str(text).split())}"
    files = evidence(claim, result.read, places)
    for path in files:
        yield f"  {'figure' if path.suffix == '.png' else 'from':11} {path.relative_to(places.root).as_posix()}"
    for cell in dict.fromkeys(cell_of(path, places) for path in files):
        yield f"  cell        {cell.link}" if cell else "  cell        none: no notebook makes it"
    yield from (f"  read        {path} = {short(value)}" for path, value in result.read.items())
    for name in judgment.ruler.split(", "):
        yield f"  ruler       {name}: {_says(rulers[name])}"
    yield from (f"  measured    {each.ruler}: {each.value:.6g}, margin {each.margin:.3g}" for each in result.measured)
    yield f"  verdict     {judgment.verdict}: {result.reason}"
    if judgment.control is not None:
        yield f"  control     {judgment.control.says()}: {judgment.control.outcome.reason}"
    yield from (f"  {name:11} {other.verdict}: {other.reason}" for name, other in judgment.others.items())


def _says(ruler: Ruler) -> str:
    return ". ".join(filter(None, [ruler.says(), ruler.because]))
