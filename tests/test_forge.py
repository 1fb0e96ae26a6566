"""What a forge runs is what the Makefile has: nothing is known to the forge alone."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_small_and_calls_make_or_the_one_script(workflow: Path) -> None:
    assert len(workflow.read_text("utf-8").splitlines()) < 30
    commands = [step["run"] for step in steps(workflow) if "run" in step]
    assert commands
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    for command in commands:
        assert command == ".ci/run" or set(command.removeprefix("make ").split()) <= targets


def test_the_oldest_python_and_the_newest_are_tried() -> None:
    text = (ROOT / ".github" / "workflows" / "check.yml").read_text("utf-8")
    assert yaml.safe_load(text)["jobs"]["check"]["strategy"]["matrix"]["python"] == ["3.11", "3.x"]
    assert 'requires-python = ">=3.11"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_before_a_commit_the_tools_of_lint_run() -> None:
    [local] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    hooks = {" ".join(hook["entry"].split()[:2]) for hook in local["hooks"]}
    recipe = MAKEFILE.partition("\nlint:")[2].partition("\n\n")[0]
    assert {" ".join(line.strip("\t@").split()[:2]) for line in recipe.splitlines()[1:]} == hooks
