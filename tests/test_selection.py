"""What `make test` leaves out and when it does not, what `make test-all` need not repeat: in a small repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.inputs import ROOT

COPIED = [
    "pyproject.toml",
    *(f"tests/{name}.py" for name in ("__init__", "costs", "examples", "inputs", "selection")),
    *(f"workbook/{name}.py" for name in ("__init__", "imports")),
]
TESTS = """
import pytest
from hypothesis import given, strategies
from workbook.thing import ANSWER

def test_plain(): pass

@pytest.mark.exhaustive
def test_long(): pass

@pytest.mark.system
def test_apart(): assert ANSWER == 42

@given(strategies.booleans())
def test_made_up(said): pass
"""
ALL = {"test_plain", "test_long", "test_apart", "test_made_up"}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A new clone of a repository with four tests, of which one imports workbook/thing.py."""
    for name in COPIED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "tests/conftest.py").write_text('pytest_plugins = ["tests.selection"]')
    (tmp_path / "tests/test_things.py").write_text(TESTS)
    (tmp_path / "workbook/thing.py").write_text("ANSWER = 42")
    (tmp_path / ".gitignore").write_text("__pycache__\n.*_cache\n.hypothesis")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(clone: Path, *arguments: str) -> None:
    who = {f"GIT_{role}_{what}": "nobody" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", *arguments], cwd=clone, env=os.environ | who, check=True)


def commit(clone: Path) -> None:
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "as it is")


def run(clone: Path, *options: str) -> tuple[dict[str, str], str]:
    """What became of the tests that ran, and all that was said."""
    command = [sys.executable, "-m", "pytest", "-rA", *options]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    # An edit of as many bytes within a second of the first run: Python would take the bytecode of what was there.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    said = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False).stdout
    return {test: outcome for outcome, test in re.findall(r"^(PASSED|FAILED) \S+::(\w+)", said, re.MULTILINE)}, said


def test_what_is_as_committed_is_left_and_told(clone: Path) -> None:
    outcomes, said = run(clone, "--short")
    assert outcomes == dict.fromkeys(["test_plain", "test_made_up"], "PASSED")
    assert "left to make test-all: 2 tests (exhaustive 1, system 1)" in said
    assert "seconds by room:" in said


@pytest.mark.parametrize("workers", [[], ["-n2"]], ids=["alone", "with workers"])
def test_what_imports_a_changed_file_runs_until_it_has_passed_whatever_is_committed(
    clone: Path, workers: list[str]
) -> None:
    run(clone, "--short", *workers)
    (clone / "workbook/thing.py").write_text("ANSWER = 41")
    assert run(clone, "--short", *workers)[0]["test_apart"] == "FAILED"
    commit(clone)
    assert run(clone, "--short", *workers)[0]["test_apart"] == "FAILED"
    (clone / "workbook/thing.py").write_text("ANSWER = 42")
    assert run(clone, "--short", *workers)[0]["test_apart"] == "PASSED"
    assert "test_apart" not in run(clone, "--short", *workers)[0]


def test_a_file_that_no_such_test_imports_changes_nothing(clone: Path) -> None:
    (clone / "workbook/other.py").write_text("ANSWER = 41")
    assert "test_apart" not in run(clone, "--short")[0]


def test_the_rest_is_what_did_not_pass_and_fewer_examples_are_not_all_of_them(clone: Path) -> None:
    run(clone, "--short")
    outcomes, said = run(clone, "--rest")
    assert outcomes.keys() == ALL - {"test_plain"}
    assert "not repeated: passed before 1" in said
    assert run(clone, "--rest")[0] == {}


@pytest.mark.parametrize("changed", ["README.md", "workbook/thing.py"])
def test_a_change_of_any_file_makes_the_rest_all(clone: Path, changed: str) -> None:
    assert run(clone, "--rest")[0] == dict.fromkeys(ALL, "PASSED")
    (clone / changed).write_text("ANSWER = 42 ")
    assert run(clone, "--rest")[0].keys() == ALL


def test_what_failed_is_not_what_passed(clone: Path) -> None:
    (clone / "workbook/thing.py").write_text("ANSWER = 41")
    run(clone, "--rest")
    assert run(clone, "--rest")[0] == {"test_apart": "FAILED"}


def test_some_tests_say_nothing_of_all(clone: Path) -> None:
    run(clone, "--rest", "tests/test_things.py::test_plain")
    assert run(clone, "--rest")[0].keys() == ALL


def test_plain_pytest_runs_what_it_is_told_to(clone: Path) -> None:
    run(clone, "--rest")
    assert run(clone)[0].keys() == ALL
