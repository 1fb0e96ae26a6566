"""The recipes for other machines: they parse, and what they name exists. Only `dask-jobqueue`'s dry run needs more."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click import Command

from workbook.commands.cli import main

ROOT = Path(__file__).parents[1]
RECIPES = ROOT / "docs" / "several-machines"
FILES = [
    "Containerfile", ".containerignore", ".dockerignore", ".binder/requirements.txt", ".binder/runtime.txt",
    ".binder/postBuild", ".devcontainer/devcontainer.json", "docs/several-machines.md",
    "docs/several-machines/jobqueue.yaml", "docs/several-machines/slurm.py", "docs/several-machines/kubernetes.yaml",
]  # fmt: skip


@pytest.fixture(scope="module")
def kubernetes() -> dict[tuple[str, str], Any]:
    """What Kubernetes is told to make, by kind and name."""
    told = yaml.safe_load_all((RECIPES / "kubernetes.yaml").read_text())
    return {(each["kind"], each["metadata"]["name"]): each for each in told}


def test_the_page_names_recipes_that_exist() -> None:
    page = (ROOT / "docs" / "several-machines.md").read_text()
    named = set(re.findall(r"docs/several-machines/[a-z.]+", page))
    assert named == {name for name in FILES if name.startswith("docs/several-machines/")}
    assert all((ROOT / name).is_file() for name in FILES)


@pytest.mark.parametrize("name", FILES)
def test_no_file_names_a_host(name: str) -> None:
    assert not re.search(r"https?://|[a-z0-9-]+\.(io|org|com)\b(?!/v1)", (ROOT / name).read_text())


def test_the_image_has_the_locked_packages_and_its_user_is_not_root() -> None:
    lines = (ROOT / "Containerfile").read_text().splitlines()
    [base] = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert re.fullmatch(r"python:3\.\d+-slim", base), "a short name, and no registry"
    users = [number for number, line in enumerate(lines) if line.startswith("USER ")]
    assert lines[users[-1]] == "USER workbook"
    assert lines.index("RUN make .venv/ready") > users[-1]
    assert re.search(r"^\.venv/ready: \.venv/locked", (ROOT / "Makefile").read_text(), re.M)


def test_the_dev_container_and_binder_use_what_is_there() -> None:
    told = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert (ROOT / ".devcontainer" / told["build"]["dockerfile"]).resolve() == ROOT / "Containerfile"
    assert f"USER {told['remoteUser']}" in (ROOT / "Containerfile").read_text()
    assert re.search(rf"^{told['postCreateCommand'].removeprefix('make ')}:", (ROOT / "Makefile").read_text(), re.M)
    [lock] = re.findall(r"^-r (.+)$", (ROOT / ".binder" / "requirements.txt").read_text(), re.M)
    assert (ROOT / ".binder" / lock).resolve() == ROOT / "requirements-studio.lock"
    assert os.access(ROOT / ".binder" / "postBuild", os.X_OK)
    subprocess.run(["bash", "-n", ROOT / ".binder" / "postBuild"], check=True)


def test_kubernetes_runs_commands_that_exist_and_nobody_is_root(kubernetes: dict[tuple[str, str], Any]) -> None:
    port = kubernetes["Service", "workbook-scheduler"]["spec"]["ports"][0]["port"]
    workers = kubernetes["Deployment", "workbook-workers"]["spec"]["template"]["spec"]
    sweep = kubernetes["Job", "workbook-sweep"]["spec"]["template"]["spec"]
    address = f"tcp://workbook-scheduler:{port}"
    assert address in workers["containers"][0]["command"]
    command, _, *options = sweep["containers"][0]["args"]
    known = main.commands[command]
    assert isinstance(known, Command)
    assert {option for parameter in known.params for option in parameter.opts} >= set(options[::2])
    assert options == ["--scheduler", address]
    for kind, name in kubernetes:
        if kind != "Service":
            assert kubernetes[kind, name]["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"]


def test_a_job_of_slurm_is_a_worker_with_a_thread() -> None:
    told = yaml.safe_load((RECIPES / "jobqueue.yaml").read_text())["jobqueue"]["slurm"]
    assert told["processes"] == told["cores"], "one run at a time in each: rules are compiled one at a time"


@pytest.mark.skipif(importlib.util.find_spec("dask_jobqueue") is None, reason="dask-jobqueue is not installed")
def test_dask_jobqueue_makes_a_job_of_it() -> None:
    environment = os.environ | {"DASK_CONFIG": str(RECIPES / "jobqueue.yaml")}
    command = [sys.executable, str(RECIPES / "slurm.py"), "2", "--dry-run"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "#SBATCH -p compute" in done.stdout
    assert re.search("--nthreads 1 .*--nworkers 8", done.stdout)
