"""`workbook grade` and `workbook assignments` where there is nothing to grade, or no nbgrader: one line each."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from workbook.commands.cli import main
from workbook.teaching import course


def invoked(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.output


def test_a_folder_that_is_no_course(tmp_path: Path) -> None:
    status, line = invoked("grade", "--course", str(tmp_path))
    assert status == 1
    assert line == f"Error: {tmp_path}: no course; `workbook assignments --course {tmp_path}` makes one\n"


def test_a_course_without_students(tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").touch()
    status, line = invoked("grade", "--course", str(tmp_path))
    assert status == 1
    assert line == f"Error: {tmp_path}: nothing handed in; must be submitted/<student>/<sheet>/<sheet>.ipynb\n"


def test_without_nbgrader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "find_spec", lambda name: None)
    status, line = invoked("assignments", "--course", str(tmp_path))
    assert status == 2
    assert line == "Error: nbgrader is not installed; `make assignments` installs it, once\n"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, line = invoked("assignments", "--course", str(tmp_path / "file"))
    assert status == 2
    assert line.startswith("Error: ")
    assert line.count("\n") == 1
