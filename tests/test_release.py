"""A release says one version everywhere, and happens whole or not at all."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SAY_THE_VERSION = ("pyproject.toml", "CITATION.cff", "CHANGELOG.md")
GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@t.example")


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run([*GIT, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with what a release changes, whose wheel works."""
    (tmp_path / ".ci").mkdir()
    for name in (*SAY_THE_VERSION, ".ci/release"):
        shutil.copy(ROOT / name, tmp_path / name)
    wheel_works(tmp_path, works=True)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "t")
    git(tmp_path, "config", "user.email", "t@t.example")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "as it is")
    return tmp_path


def wheel_works(folder: Path, *, works: bool) -> None:
    trial = folder / ".ci" / "try-wheel"
    trial.write_text(f"#!/bin/sh\nexit {0 if works else 1}\n")
    trial.chmod(0o755)


def release(folder: Path, version: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([folder / ".ci" / "release", version], cwd=folder, capture_output=True, text=True)


def versions(folder: Path) -> tuple[str, str, str]:
    """What the three files say; of the changelog its newest section with a number."""
    package, citation, changes = (folder.joinpath(name).read_text("utf-8") for name in SAY_THE_VERSION)
    numbered = re.search(r"^## (\d\S*) - \d{4}-\d\d-\d\d$", changes, re.MULTILINE)
    said: str = tomllib.loads(package)["project"]["version"]
    return said, yaml.safe_load(citation)["version"], numbered[1] if numbered else said


def test_the_version_is_the_same_wherever_it_is_said() -> None:
    assert len(set(versions(ROOT))) == 1


def test_a_release_is_a_commit_and_a_tag(clone: Path) -> None:
    done = release(clone, "99.0.1")
    assert (done.returncode, done.stderr) == (0, "")
    assert versions(clone) == ("99.0.1", "99.0.1", "99.0.1")
    assert "date-released" in (clone / "CITATION.cff").read_text()
    assert (clone / "CHANGELOG.md").read_text().count("## Unreleased\n\n## 99.0.1 - ") == 1
    assert git(clone, "describe", "--exact-match") == "v99.0.1"
    assert git(clone, "status", "--porcelain") == ""


def test_a_wheel_that_does_not_work_is_no_release(clone: Path) -> None:
    wheel_works(clone, works=False)
    git(clone, "commit", "--quiet", "--all", "--message", "a wheel that fails")
    before = git(clone, "rev-parse", "HEAD")
    done = release(clone, "99.0.1")
    assert done.returncode == 2
    assert git(clone, "rev-parse", "HEAD") == before
    assert git(clone, "tag") == ""


@pytest.mark.parametrize(
    ("version", "why"), [("", "allowed: a version"), ("2.0", "allowed: a version"), ("0.0.9", "allowed: a later one")]
)
def test_a_version_that_is_none_or_older_is_refused(clone: Path, version: str, why: str) -> None:
    done = release(clone, version)
    assert done.returncode == 2
    assert why in done.stderr
    assert git(clone, "status", "--porcelain") == ""


def test_changes_that_are_not_committed_are_refused(clone: Path) -> None:
    (clone / "README.md").write_text("new")
    assert "not committed" in release(clone, "99.0.1").stderr
