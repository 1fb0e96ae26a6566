"""The recipe for The Littlest JupyterHub: its scripts at work in made-up homes, its settings as a hub reads them."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from traitlets.config import Config

from workbook.commands.cli import main

ROOT = Path(__file__).parents[1]
RECIPES = ROOT / "docs" / "littlest-jupyterhub"
PAGE = (ROOT / "docs" / "littlest-jupyterhub.md").read_text("utf-8")
# In place of util-linux' runuser, which needs accounts: a file named `secret` can't be read as a student.
RUNUSER = """#!/bin/sh
shift 3
for each; do
    case "$(readlink -f "$each")" in */secret) exit 1 ;; esac
done
exec "$@"
"""


def configured(name: str) -> Config:
    """What a hub knows after it has read one of the files."""
    found = Config()
    exec((RECIPES / name).read_text("utf-8"), {"get_config": lambda: found})
    return found


def run(script: str, *arguments: object, env: Mapping[str, str]) -> None:
    subprocess.run([RECIPES / script, *map(str, arguments)], env=os.environ | env, check=True)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    sheet = {"cells": [{"cell_type": "code", "source": ['STUDENT = ""']}, {"source": ["mine"]}]}
    path = tmp_path / "release" / "1-window" / "1-window.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(sheet), "utf-8")
    return path.parents[1]


def test_a_student_gets_each_sheet_once_with_the_own_name_in_it(release: Path, tmp_path: Path) -> None:
    own, account = tmp_path / "labs" / "1-window.ipynb", subprocess.check_output(["id", "-un"], text=True).strip()
    run("hand-out", release, env={"HOME": str(tmp_path)})
    assert json.loads(own.read_text())["cells"][0]["source"] == [f'STUDENT = "{account}"']
    assert own.parent.stat().st_mode & 0o077 == 0  # nobody else looks in, however homes are made
    own.write_text("begun")
    run("hand-out", release, env={"HOME": str(tmp_path)})
    assert own.read_text() == "begun"


def test_what_students_have_is_collected_and_nothing_else(tmp_path: Path) -> None:
    """Boris has not begun; clara's sheet is a link to what only root may read."""
    for student in ("anna", "boris", "clara"):
        (tmp_path / "homes" / f"jupyter-{student}" / "labs").mkdir(parents=True)
    (tmp_path / "homes/jupyter-anna/labs/1-window.ipynb").write_text("anna's")
    (tmp_path / "secret").write_text("a key")
    (tmp_path / "homes/jupyter-clara/labs/1-window.ipynb").symlink_to(tmp_path / "secret")
    (tmp_path / "runuser").write_text(RUNUSER)
    (tmp_path / "runuser").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    run("collect", "1-window", tmp_path / "course", tmp_path / "homes", env={"PATH": path})
    collected = [file for file in (tmp_path / "course").rglob("*") if file.is_file()]
    assert collected == [tmp_path / "course/submitted/anna/1-window/1-window.ipynb"]
    assert collected[0].read_text() == "anna's"


def test_the_configurations_are_read_as_a_hub_reads_them() -> None:
    hub, lti = configured("workbook.py"), configured("lti.py")
    assert hub.SystemdSpawner.unit_extra_properties == {"ExecStartPre": "/srv/course/hand-out"}
    assert hub.Spawner.default_url == "/lab/tree/labs"
    assert lti.JupyterHub.authenticator_class == "ltiauthenticator.lti13.auth.LTI13Authenticator"
    asked = lti.LTI13Authenticator
    assert {asked.authorize_url.startswith(asked.issuer), asked.jwks_endpoint.startswith(asked.issuer)} == {True}
    assert isinstance(asked.client_id, list)
    assert lti.Authenticator.allow_all is True


def test_the_page_names_what_exists() -> None:
    named = set(re.findall(r"docs/littlest-jupyterhub/([\w.-]+)", PAGE))
    assert named == {file.name for file in RECIPES.iterdir()}
    targets = set(re.findall(r"make (\w+)", PAGE)) & {"studio", "course", "assignments"}
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    commands = set(re.findall(r"bin/workbook (\w+)", PAGE))
    assert commands
    assert commands <= main.commands.keys()
    assert not re.search(r"[a-z0-9-]+\.(io|org|com)\b", PAGE)
