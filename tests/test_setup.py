"""The set-up: one set of packages in pyproject.toml, lock and environment.yml; a .venv that is made once."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from simcore.extras import EXTRAS, MissingExtraError, require

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = {name: (ROOT / name).read_text() for name in ("requirements.lock", "requirements-studio.lock")}
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
SET_UP = [".ci/run", ".gitignore", "Makefile", "environment.yml", "pyproject.toml", *LOCKS]


def ranges(requirements: list[str]) -> dict[str, SpecifierSet]:
    parsed = [Requirement(text) for text in requirements]
    others = [requirement for requirement in parsed if requirement.name != PYPROJECT["project"]["name"]]  # `all`
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in others}


def declared() -> dict[str, SpecifierSet]:
    """Everything pyproject.toml asks for: to run, to test and to install the project itself."""
    project = PYPROJECT["project"]
    extras = list(chain(*project["optional-dependencies"].values()))
    return ranges(project["dependencies"] + extras + PYPROJECT["build-system"]["requires"])


ASKED_FOR_BY_NAME = {"find_spec", "import_module", "importorskip"}
ELSEWHERE = {"dask_jobqueue", "ns"}  # on a cluster's login node; ns.py, which the benchmark compares where it is


def imported(*folders: str) -> set[str]:
    """The top-level names of all modules that the Python files in folders import, also those asked for by name."""
    return imported_by(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def imported_by(files: Iterable[Path]) -> set[str]:
    """The same of some files."""
    trees = [ast.parse(file.read_text()) for file in files]
    modules = chain.from_iterable(names_in(node) for tree in trees for node in ast.walk(tree))
    return {module.partition(".")[0] for module in modules} - sys.stdlib_module_names


def names_in(node: ast.AST) -> list[str]:
    """The modules that a statement or a call imports."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case ast.Call(
            func=ast.Name(id=function) | ast.Attribute(attr=function), args=[ast.Constant(value=str(module)), *_]
        ) if function in ASKED_FOR_BY_NAME:
            return [module]
    return []


def packages_of(modules: set[str]) -> set[str]:
    """The packages that have these modules. One that isn't installed has the name of its module."""
    providers = dict(packages_distributions()) | {"websocket": ["websocket-client"]}
    return {canonicalize_name(providers.get(module, [module])[0]) for module in modules}


def core() -> dict[str, SpecifierSet]:
    """What the two commands of the README install; JupyterLab, the labs' and the book's tools come when asked for."""
    optional = PYPROJECT["project"]["optional-dependencies"]["studio"]
    return {name: allowed for name, allowed in declared().items() if name not in ranges(optional)}


def locked(lock: str) -> dict[str, dict[str, int]]:
    """Name -> version -> number of hashes. A package has two versions where Pythons need different ones."""
    pins: dict[str, dict[str, int]] = defaultdict(dict)
    for pin in re.split(r"\n(?=\S)", LOCKS[lock]):
        if match := re.match(r"(\S+)==(\S+)", pin):
            pins[match[1]][match[2]] = len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", pin))
    return pins


def test_conda_users_get_the_same_packages_in_the_same_ranges() -> None:
    *packages, from_pip = ENVIRONMENT["dependencies"]
    conda = ranges(packages + from_pip["pip"])
    assert conda.pop("python") == PYPROJECT["project"]["requires-python"]
    del conda["pip"]  # it comes with every .venv, conda must be asked for it
    assert conda == declared()


def test_the_locks_are_made_by_one_version_of_uv() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^UV = uv==[\d.]+$", makefile, re.MULTILINE)
    [installs] = [line for line in makefile.splitlines() if "build/uv/bin/python -m pip install" in line]
    assert installs.split()[-1] == "$(UV)"


def test_conda_packages_come_from_conda_forge_alone() -> None:
    assert ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]


@pytest.mark.parametrize(
    ("lock", "name", "allowed"),
    [
        *(("requirements.lock", name, allowed) for name, allowed in core().items()),
        *(("requirements-studio.lock", name, allowed) for name, allowed in declared().items()),
    ],
)
def test_the_locks_pin_what_pyproject_asks_for(lock: str, name: str, allowed: SpecifierSet) -> None:
    versions = locked(lock)[name]
    assert versions, f"{name} is not in {lock}: make lock"
    assert all(version in allowed for version in versions), f"{name} {allowed}, but {versions}: make lock"


def test_the_studio_has_the_same_versions_as_the_rest() -> None:
    studio = locked("requirements-studio.lock")
    assert {name: studio[name] for name in locked("requirements.lock")} == locked("requirements.lock")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_of_the_locks_has_hashes(lock: str) -> None:
    unhashed = [name for name, versions in locked(lock).items() if not all(versions.values())]
    assert unhashed == []


def test_what_the_project_imports_is_declared_and_does_not_just_happen_to_come_along() -> None:
    modules = imported("simcore", "workbook") - {"simcore", "workbook"}
    project = PYPROJECT["project"]
    extras = [names for extra, names in project["optional-dependencies"].items() if extra != "test"]
    to_run = ranges(list(chain(project["dependencies"], *extras)))
    assert packages_of(modules) - to_run.keys() == set()


ROOMS = sorted(
    path.parent.relative_to(ROOT).as_posix()
    for package in ("simcore", "workbook")
    for path in (ROOT / package).rglob("__init__.py")
)
# Modules that ask for more than their room does when one of their functions is called.
ASKED_FOR_LATER = {
    "simcore/compiled": {"llvmlite"},  # see simcore.compiled.llvm
    "simcore/webassembly": {"llvmlite"},
    "simcore/metrics": {"scipy"},  # intervals
    "workbook/commands": {"jupyter-book"},  # of the studio, as the next two: the commands say so
    "workbook/teaching": {"nbgrader"},
    "workbook/teaching/box": {"mistune"},
}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_asks_for_the_packages_that_a_simulation_does_without(room: str) -> None:
    """So that who has not installed them reads one line that names them."""
    modules = imported_by((ROOT / room).glob("*.py"))
    asked = {extra for parent in (room, str(Path(room).parent)) for extra in required(ROOT / parent / "__init__.py")}
    optional = PYPROJECT["project"]["optional-dependencies"]
    allowed = ranges([*PYPROJECT["project"]["dependencies"], *chain(*(optional[extra] for extra in asked))])
    assert packages_of(modules - {"simcore", "workbook"}) - allowed.keys() - ASKED_FOR_LATER.get(room, set()) == set()


def required(file: Path) -> list[str]:
    """The extras that a room asks for."""
    return re.findall(r'^require\("(\w+)"\)$', file.read_text(), re.MULTILINE) if file.is_file() else []


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_modules_of_an_extra_are_those_of_its_packages(extra: str) -> None:
    assert packages_of(set(EXTRAS[extra])) == ranges(PYPROJECT["project"]["optional-dependencies"][extra]).keys()


def test_who_lacks_an_extra_reads_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "plots", ("matplotlib", "no_such_module"))
    with pytest.raises(
        MissingExtraError, match=r"^no_such_module missing: pip install 'bottleneck-workbook\[plots\]'$"
    ):
        require("plots")
    require("workbook")


def test_what_tests_and_benchmarks_import_is_declared_too() -> None:
    folders = ("benchmarks", "campaign", "tests")
    modules = imported(*folders) - {"simcore", "workbook", *folders, *ELSEWHERE}
    assert packages_of(modules) - declared().keys() == set()


def test_an_import_by_name_counts() -> None:
    said = 'import_module("mistune"); pytest.importorskip("nbconvert.exporters"); import_module(name); import a.b'
    assert [names_in(node.value if isinstance(node, ast.Expr) else node) for node in ast.parse(said).body] == [
        ["mistune"], ["nbconvert.exporters"], [], ["a.b"],
    ]  # fmt: skip


def test_the_build_backend_is_locked_as_declared() -> None:
    assert PYPROJECT["dependency-groups"]["build"] == PYPROJECT["build-system"]["requires"]


@pytest.mark.parametrize("name", SET_UP)
def test_no_package_index_and_no_path_of_one_machine_in_the_set_up(name: str) -> None:
    """pip finds its index by the user's own settings, so the files work behind a mirror as well."""
    text = (ROOT / name).read_text()
    hosts = re.findall(r"\w+://\S*|\b[\w-]+\.(?:org|com|net|io|dev)\b", text)
    paths = re.findall(r"(?<![\w.*)}-])(?:~|/(?!dev/null|usr/bin/env)\w+)/\w\S*", text)
    assert hosts + paths == []


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the set-up with a .venv that looks finished; its python does nothing, successfully."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").write_text("#!/bin/sh\n")
    (tmp_path / ".venv/bin/python").chmod(0o755)
    (tmp_path / ".venv/locked").write_text(f"{tmp_path.resolve()}\n")
    (tmp_path / ".venv/ready").touch()
    return tmp_path


def make(folder: Path, *arguments: str) -> str:
    """What make prints. A make around this test must not pass its own options on."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    environment = {key: value for key, value in os.environ.items() if key not in {"MAKEFLAGS", "MAKELEVEL"}}
    command = ["make", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


MAKES_VENV = "-m venv --clear .venv"
INSTALLS_PROJECT = "--editable ."


def test_an_up_to_date_venv_is_left_alone(clone: Path) -> None:
    commands = make(clone, "-n", "figures", "test")
    assert "pytest" in commands
    assert MAKES_VENV not in commands
    assert INSTALLS_PROJECT not in commands


def test_a_changed_project_is_installed_again_into_the_same_venv(clone: Path) -> None:
    later = (clone / ".venv/ready").stat().st_mtime + 1
    os.utime(clone / "pyproject.toml", (later, later))
    commands = make(clone, "-n", "test")
    assert MAKES_VENV not in commands
    assert INSTALLS_PROJECT in commands


@pytest.mark.parametrize(
    "accident",
    [
        pytest.param(lambda venv: shutil.rmtree(venv), id="there is none"),
        pytest.param(lambda venv: (venv / "locked").unlink(), id="interrupted while it was made"),
        pytest.param(lambda venv: (venv / "bin/python").unlink(), id="its Python has gone"),
        pytest.param(lambda venv: (venv / "locked").write_text("/elsewhere\n"), id="copied from elsewhere"),
        pytest.param(lambda venv: os.utime(venv / "locked", (0, 0)), id="older than the lock"),
    ],
)
def test_a_venv_of_no_use_is_made_again_and_only_once(clone: Path, accident: Callable[[Path], None]) -> None:
    accident(clone / ".venv")
    commands = make(clone, "-n", "-j2", "figures", "test")
    assert commands.count(MAKES_VENV) == 1
    assert commands.count(INSTALLS_PROJECT) == 1


def test_make_alone_lists_every_target(clone: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"^make ([\w-]+) +\S", make(clone), re.MULTILINE)) == targets


def test_continuous_integration_runs_the_commands_of_the_readme_in_their_order_and_then_the_studio() -> None:
    assert os.access(ROOT / ".ci/run", os.X_OK)
    steps = re.findall(r"^step (.+)", (ROOT / ".ci/run").read_text(), re.MULTILINE)
    order = ["make figures", "committed", "make test", "make studio", "make test-all", "committed"]
    assert [step for step in steps if not step.startswith("install ")] == order
    readme = (ROOT / "README.md").read_text()
    assert readme.index("\nmake figures ") < readme.index("\nmake test ") < readme.index("\nmake test-all ")


def test_pytest_looks_into_every_folder_of_tests(pytestconfig: pytest.Config) -> None:
    """By itself it passes over those that are called build, dist or venv."""
    folders = {folder for path in (ROOT / "tests").rglob("test_*.py") for folder in path.relative_to(ROOT).parts[:-1]}
    left_out = pytestconfig.getini("norecursedirs")
    assert "build" in folders
    assert [folder for folder in folders if any(fnmatch(folder, pattern) for pattern in left_out)] == []


def test_a_test_that_hangs_fails(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.hasplugin("timeout")
    assert 0 < float(pytestconfig.getini("timeout")) <= 300
