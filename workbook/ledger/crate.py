"""The ledger as an RO-Crate: claims, evidence and verdicts for programs that know nothing of this workbook.

RO-Crate 1.1 (https://w3id.org/ro/crate/1.1): a folder with ro-crate-metadata.json, which is JSON-LD in schema.org's
words. Each source document is a CreativeWork, each claim a Claim in it, each verdict a ClaimReview with the evidence as
`isBasedOn`; the judging itself is a CreateAction.
"""

import json
import shutil
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path

from workbook.ledger.judgment import Judgment
from workbook.ledger.scorecard import Scorecard, Verdicts
from workbook.ledger.sources import evidence
from workbook.ledger.verdict import VERDICTS
from workbook.paths import Places

Entity = dict[str, object]
METADATA = "ro-crate-metadata.json"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "https://w3id.org/ro/crate/1.1"
LICENSE = "https://spdx.org/licenses/BSD-3-Clause"


def write_crate(card: Scorecard, places: Places, folder: Path) -> Path:
    """Copy the evidence into `folder` and describe all of it there; returns the metadata file."""
    entities = [entity for verdicts in card.sources for entity in _of_source(verdicts, places)]
    files = sorted({file for judgment in card.judgments for file in _evidence(judgment, places)})
    files += [f"claims/{name}.yaml" for name in ("rulers", *(verdicts.source.key for verdicts in card.sources))]
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(places.root / file, folder / file)
    held = [_file(file, folder) for file in files]
    graph = [_descriptor(), _root(card, files), _license(), *_judging(files), *_ratings(), *held, *entities]
    path = folder / METADATA
    path.write_text(json.dumps({"@context": CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def _descriptor() -> Entity:
    about = {"conformsTo": {"@id": PROFILE}, "about": {"@id": "./"}}
    return {"@id": METADATA, "@type": "CreativeWork", **about}


def _root(card: Scorecard, files: Sequence[str]) -> Entity:
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": "The bottleneck workbook: claims, evidence, verdicts",
        "description": f"{len(card.judgments)} claims of {len(card.sources)} documents. {card.headline()}",
        "datePublished": date.today().isoformat(),
        "license": {"@id": LICENSE},
        "hasPart": _ids(files),
        "mentions": _ids(["#judging", *(judgment.claim.id for judgment in card.judgments)], prefix="#review/"),
    }


def _license() -> Entity:
    return {"@id": LICENSE, "@type": "CreativeWork", "name": "BSD 3-Clause License", "description": "of the workbook"}


def _judging(files: Sequence[str]) -> Iterable[Entity]:
    """What made the verdicts, and what it read."""
    yield {"@id": "#workbook", "@type": "SoftwareApplication", "name": "workbook claims"}
    made = {"instrument": {"@id": "#workbook"}, "object": _ids(files), "result": {"@id": "./"}}
    yield {"@id": "#judging", "@type": "CreateAction", "name": "Every claim judged by the numbers in figures/", **made}


def _ratings() -> Iterable[Entity]:
    """The verdicts as ratings from 1, the worst, to 4; entities of their own, as a crate is flat JSON-LD."""
    for index, verdict in enumerate(VERDICTS):
        rating = {"ratingValue": len(VERDICTS) - index, "worstRating": 1, "bestRating": len(VERDICTS)}
        yield {"@id": f"#rating/{index}", "@type": "Rating", "name": verdict, "alternateName": verdict, **rating}


def _file(path: str, folder: Path) -> Entity:
    """A file with what shows that it is the one that was judged: its size, and its hash (RO-Crate 1.1, 4.3)."""
    formats = {".json": "application/json", ".png": "image/png", ".yaml": "application/yaml"}
    content = (folder / path).read_bytes()
    held = {"contentSize": str(len(content)), "sha256": sha256(content).hexdigest()}
    return {"@id": path, "@type": "File", "name": path, "encodingFormat": formats[Path(path).suffix], **held}


def _of_source(verdicts: Verdicts, places: Places) -> Iterable[Entity]:
    source = verdicts.source
    work = f"#source/{source.key}"
    authors = {"@id": f"#authors/{source.key}"}
    yield {"@id": work, "@type": "CreativeWork", "name": source.title, "author": authors, "abstract": source.note}
    yield {**authors, "@type": "Organization", "name": source.authors}
    for judgment in verdicts.judgments:
        yield _claim(judgment, work)
        yield _review(judgment, _evidence(judgment, places))


def _claim(judgment: Judgment, work: str) -> Entity:
    claim = judgment.claim
    where = {"appearance": {"@id": work}, "description": claim.place, "additionalType": claim.status}
    return {"@id": f"#claim/{claim.id}", "@type": "Claim", "name": claim.id, "text": claim.quote, **where}


def _review(judgment: Judgment, files: Iterable[str]) -> Entity:
    """The verdict, as fact-checkers write it."""
    control = "" if judgment.control is None else f" It fails, as it must, with {judgment.control.says()}."
    return {
        "@id": f"#review/{judgment.claim.id}",
        "@type": "ClaimReview",
        "itemReviewed": {"@id": f"#claim/{judgment.claim.id}"},
        "claimReviewed": judgment.claim.quote,
        "reviewRating": {"@id": f"#rating/{VERDICTS.index(judgment.verdict)}"},
        "reviewBody": f"{judgment.verdict} (ruler: {judgment.ruler}): {judgment.reason}.{control}",
        "isBasedOn": _ids(files),
    }


def _evidence(judgment: Judgment, places: Places) -> list[str]:
    files = evidence(judgment.claim, judgment.outcome.read, places)
    return [file.relative_to(places.root).as_posix() for file in files]


def _ids(names: Iterable[str], prefix: str = "") -> list[dict[str, str]]:
    return [{"@id": name if name.startswith("#") else f"{prefix}{name}"} for name in names]
