"""Without llvmlite, or with a version that nobody tried, one line says so, and the process model works all the same."""

import builtins
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import llvmlite
import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement

from simcore import EngineUnavailableError, simulate
from simcore.compiled import llvm
from tests.simcore.scenes import scene, tcp_flow
from workbook.commands.cli import main

ROOT = Path(__file__).parents[3]
SCENARIO = scene(tcp_flow(), end_s=0.5)


@pytest.fixture(params=["not installed", "damaged", "older", "newer"])
def without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How LLVM is missing, and what is said of it."""
    versions = {"older": "0.45.1", "newer": "0.51.0rc1"}
    if request.param in versions:
        monkeypatch.setattr(llvmlite, "__version__", versions[request.param])
        return f"there is {versions[request.param]}"
    failure = {"not installed": ModuleNotFoundError("No module named 'llvmlite'"),
               "damaged": OSError("Could not find/load shared object file")}[request.param]  # fmt: skip
    monkeypatch.setattr(builtins, "__import__", failing("llvmlite", failure, builtins.__import__))
    missing = isinstance(failure, ImportError)
    return f"cannot be loaded ({failure})" + ": pip install 'bottleneck-workbook[compiled]'" * missing


def failing(package: str, failure: Exception, imported: Callable[..., ModuleType]) -> Callable[..., ModuleType]:
    """An `import` that fails for one package."""

    def import_(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if name.partition(".")[0] == package:
            raise failure
        return imported(name, globals, locals, fromlist, level)

    return import_


def test_the_compiled_engine_says_what_it_needs(without: str) -> None:
    with pytest.raises(EngineUnavailableError) as refused:
        simulate(SCENARIO, "compiled")
    assert str(refused.value) == (
        f"engine: compiled: llvmlite >=0.46,<0.51 is needed, and {'it ' * ('loaded' in without)}{without}; "
        "the engine process gives the same without it"
    )


def test_the_process_model_works_without(without: str) -> None:
    assert int(simulate(SCENARIO, "process")["received"][0]) > 0


@pytest.mark.parametrize("command", ["run", "sweep"])
def test_a_command_says_it_in_one_line_before_it_writes(
    command: str, without: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = tmp_path / "given.yaml"
    text = SCENARIO.to_yaml()
    sweep = "name: mine\nvary: {delay: {path: bottleneck.delay_ms, values: [1, 2]}}\nbase:\n"
    given.write_text(text if command == "run" else sweep + "".join(f"  {line}\n" for line in text.splitlines()))
    options = ["--dataset", "out"] if command == "run" else ["--output", "out"]
    result = CliRunner().invoke(main, [command, str(given), "--engine", "compiled", *options])
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert without in result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path("out").exists()


def test_the_bounds_are_those_of_the_installation() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [declared] = map(Requirement, project["optional-dependencies"]["compiled"])
    bounds = ">={}.{},<{}.{}".format(*llvm.OLDEST, *llvm.BEYOND)
    assert declared.specifier == Requirement(f"llvmlite{bounds}").specifier
