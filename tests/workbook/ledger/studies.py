"""Small made-up studies to be judged; the real ones are in test_claims.py."""

from typing import Any

import pytest
import yaml

from workbook.ledger import LedgerError, scorecard
from workbook.ledger.judgment import Judgment
from workbook.paths import Places

LATENCY = {"steady": {"max": 118.3, "min": 14.0}}
SHARE = {"n": 200, "mean": 25.2, "sd": 1.0, "min": 23.4, "max": 28.7}
FLOW = {"kb": 1109.1015625, "sent": 1108, "first_drop_s": None, "latency_ms": LATENCY, "kind": "tcp", "share": SHARE}
WORDS = {"id": "study.claim", "quote": "as it says", "place": "Baseline"}


def write_claims(places: Places, *claims: dict[str, Any], name: str = "study", **header: Any) -> None:
    source = {"key": name, "title": "A study", "authors": "A. Nobody"}
    content = {"source": source | header, "claims": [_complete(claim) for claim in claims]}
    (places.claims / f"{name}.yaml").write_text(yaml.safe_dump(content, sort_keys=False))


def _complete(claim: dict[str, object]) -> dict[str, object]:
    """With what every claim needs; a claim that nothing could make fail is not the point of most tests."""
    status = {} if claim.get("kind") == "figure" else {"status": "measured"}
    return WORDS | {"counts_as": "number"} | status | claim


def judged(places: Places, **claim: object) -> Judgment:
    write_claims(places, claim)
    return scorecard(places=places).judgments[0]


def refusal(places: Places, *claims: dict[str, Any]) -> str:
    write_claims(places, *claims)
    with pytest.raises(LedgerError) as caught:
        scorecard(places=places)
    return str(caught.value)
