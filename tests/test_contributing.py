"""The recipes of CONTRIBUTING.md: what they tell to write is written into a copy of the workbook, and its tests run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COPIED = (
    *("simcore", "workbook", "tests", "params", "notebooks", "claims", "requirements.lock", "pyproject.toml"),
    "README.md",
)
WORKBOOK = "import sys; from workbook.commands.cli import main; main(sys.argv[2:])"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "golden", ".ipynb_checkpoints")


def recipes() -> dict[str, str]:
    """Recipe -> its text."""
    sections = re.split(r"^## Recipe: (.+)$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(sections[1::2], sections[2::2], strict=True))


def commands(recipe: str) -> list[list[str]]:
    """What is to be run before the test: the lines of its blocks of `sh`."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", recipe, flags=re.MULTILINE | re.DOTALL)
    return [line.split() for block in blocks for line in block.splitlines()]


def files(text: str) -> dict[str, str]:
    """Path -> text: the code blocks that begin with a comment that is a path."""
    blocks = re.findall(r"^```\w+\n(# (\w[\w/.-]+\.\w+)\n.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return {path: block.partition("\n")[2] for block, path in blocks}


TEXTS = recipes()
RECIPES = {name: files(text) for name, text in TEXTS.items()}


def test_there_are_four() -> None:
    assert set(RECIPES) == {"a congestion control", "a queue discipline", "a metric with its figure", "a chapter"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The workbook's sources, without what would take long to copy and is not needed."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_adds_only_files_and_brings_a_test(recipe: str) -> None:
    assert [path for path in RECIPES[recipe] if (ROOT / path).exists()] == []
    assert [path for path in RECIPES[recipe] if path.startswith("tests/")]


def python(copy: Path, *arguments: str) -> None:
    """Run it in the copy, on the copy's sources."""
    environment = os.environ | {"PYTHONPATH": str(copy)}
    done = subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_works(recipe: str, copy: Path) -> None:
    for path, text in RECIPES[recipe].items():
        (copy / path).write_text(text, "utf-8")
    for command in commands(TEXTS[recipe]):
        python(copy, "-c", WORKBOOK, *command)
    tests = [path for path in RECIPES[recipe] if path.startswith("tests/")]
    python(copy, "-m", "pytest", "-p", "no:cacheprovider", *tests)


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_obeys_the_house_rules(recipe: str, copy: Path) -> None:
    for path, text in RECIPES[recipe].items():
        (copy / path).write_text(text, "utf-8")
    sources = [path for path in RECIPES[recipe] if path.endswith(".py")]
    for command in (["ruff", "check", "--no-cache"], ["ruff", "format", "--no-cache", "--check"]):
        done = subprocess.run([sys.executable, "-m", *command, *sources], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


MADE = "build/site/explore.html"
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/design.md",
    "docs/your-own-study.md",
    "docs/several-machines.md",
)


def test_the_first_link_of_the_readme_is_the_page_that_make_site_makes() -> None:
    before, _, _ = (text := (ROOT / "README.md").read_text("utf-8")).partition("](")
    assert "`make site`" in before
    assert re.findall(r"\]\(([^)\s]+)\)", text)[0] == MADE


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_the_entrance_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#\s]+)\)", (ROOT / page).read_text("utf-8"))
    ours = [link for link in links if "://" not in link and link != MADE]
    assert [link for link in ours if not (ROOT / page).parent.joinpath(link).exists()] == []
