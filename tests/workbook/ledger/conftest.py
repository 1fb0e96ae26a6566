"""A workbook to judge by."""

import json
import shutil
from pathlib import Path

import pytest

from tests.workbook.ledger.studies import FLOW
from workbook.build.fingerprint import write_manifest
from workbook.paths import REPO, Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A workbook with the statistics of one case (`two_tcp.size_100.flow1`) and one figure."""
    case = tmp_path / "figures" / "two-tcp" / "size-100"
    case.mkdir(parents=True)
    (tmp_path / "claims").mkdir()
    shutil.copy(REPO.claims / "rulers.yaml", tmp_path / "claims")
    (case / "statistics.json").write_text(json.dumps({"flow1": FLOW}))
    (case / "latency.png").write_bytes(b"a picture")
    write_manifest(case.parent, "the chapter's inputs")
    (case / "jitter.png").write_bytes(b"a picture from nowhere")
    return Places(tmp_path)
