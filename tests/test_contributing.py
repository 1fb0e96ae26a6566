"""The recipes of CONTRIBUTING.md: what they tell to write is written into a copy of the workbook, and its tests run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system("workbook.commands.cli")

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
ADDED = {path: text for recipe in RECIPES.values() for path, text in recipe.items()}


def test_there_are_seven() -> None:
    controls = {"a congestion control", "a control that goes by the delivery rate"}
    others = {"a queue discipline", "an option of the header", "a metric with its figure", "a chapter", "a story"}
    assert set(RECIPES) == controls | others


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook's sources with the files of all recipes, without what would take long to copy and is not needed."""
    root = tmp_path_factory.mktemp("grown")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, root)
    for path, text in ADDED.items():
        (root / path).write_text(text, "utf-8")
    return root


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_adds_only_files_and_brings_a_test(recipe: str) -> None:
    assert [path for path in RECIPES[recipe] if (ROOT / path).exists()] == []
    assert [path for path in RECIPES[recipe] if path.startswith("tests/")]


def failures(folder: Path, *arguments: str) -> str:
    """Run Python in a folder, on the sources there; what it said if it failed."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr + f"exit status {done.returncode}" if done.returncode else ""


def test_the_recipes_work(grown: Path) -> None:
    """All of them in one copy, whose rules are compiled once."""
    for command in (command for text in TEXTS.values() for command in commands(text)):
        assert failures(grown, "-c", WORKBOOK, *command) == ""
    tests = [path for path in ADDED if path.startswith("tests/")]
    assert len(tests) == len(RECIPES)
    assert failures(grown, "-m", "pytest", "-p", "no:cacheprovider", *tests) == ""


def test_the_recipes_obey_the_house_rules(grown: Path) -> None:
    sources = [path for path in ADDED if path.endswith(".py")]
    for command in (["check", "--no-cache"], ["format", "--no-cache", "--check"]):
        assert failures(grown, "-m", "ruff", *command, *sources) == ""


MADE = "build/site/index.html"
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
