"""Lab 7's kept runs: complete, made by the sheet's own solution, and a line where no kernel can be asked."""

import json
import runpy
from pathlib import Path

import pytest

from simcore.kernel import refusals
from simcore.rules.congestion.registry import CONTROLS
from workbook.paths import REPO
from workbook.teaching import internet, variant_of

MINE = variant_of("s1234567", "internet")


def test_every_run_is_kept_once() -> None:
    """As the script that makes them asks for them, with the sheet's own controller registered."""
    script = runpy.run_path(str(REPO.labs / "instructor" / "keep.py"))
    before = dict(CONTROLS)
    try:
        script["register_own"]()
        asked = [(member.case, member.offset_ms) for member in script["members"]()]
    finally:
        CONTROLS.clear()
        CONTROLS.update(before)
    kept = json.loads(internet.KEPT.read_text("utf-8"))
    assert kept["kernel"].startswith("Linux ")
    assert [(row["case"], row["offset_ms"]) for row in kept["rows"]] == asked
    assert len(set(asked)) == len(asked) == 210


def test_a_student_sees_the_runs_of_the_own_path_and_the_own_keep() -> None:
    runs = internet.kept_runs(MINE)
    assert len(runs) == 5 * (3 + 2 + 2 + 4 + 4)
    assert set(MINE.given["buffers"]) <= {*runs["buffer_packets"]}  # type: ignore[call-overload]
    assert not runs[["received_1", "share_1_percent", "latency_1_ms"]].isna().any().any()
    assert (runs["second"] == "nobody").equals(runs["received_2"].isna())


def test_where_no_kernel_can_be_asked_a_line_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(refusals, "AVAILABLE", tmp_path / "none")
    assert internet.live(MINE.scenario(internet.opponents("cubic", "bbr"))) is None
    said = capsys.readouterr().out
    assert said.startswith("Not on this computer: engine: kernel: ")
    assert "The kept runs have it." in said
