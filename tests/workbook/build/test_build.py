"""A build of a small workbook whose notebooks write a file or two."""

import json
import os
import platform
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_notebook

from tests.workbook.build.conftest import DEFAULTS, WRITE, add_chapter
from workbook.build.build import FORKS, Event, build, load_chapters
from workbook.build.fingerprint import inputs, is_current
from workbook.build.machine import MACHINE
from workbook.build.notebook import NotebookError, execute
from workbook.build.progress import Progress
from workbook.chapters.chapter import Chapter, ChapterError
from workbook.paths import MANIFEST, Places


def made(places: Places, *names: str, force: bool = False) -> list[Event]:
    """What the build told, without the cells."""
    events = build(load_chapters(names, places), places, force=force)
    return [event for event in events if event.kind != "cell"]


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


def files_of(places: Places, chapter: str = "good") -> list[str]:
    directory = places.figures / chapter
    return sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file())


def test_a_chapter_is_made_and_then_left_alone(places: Places) -> None:
    started, done = made(places, "good", "good")
    assert (started.kind, started.text) == ("started", "notebooks/good.ipynb")
    assert (done.kind, done.text.split(" in ")[0]) == ("done", "1 files")
    assert (places.figures / "good" / "case" / "numbers.txt").read_text() == "process"
    assert places.executed("notebooks/good.ipynb").is_file()
    assert not places.partial("notebooks/good.ipynb").exists()
    assert made(places) == [Event("good", "unchanged", "unchanged")]


def test_the_manifest_lists_what_was_made_and_from_what(places: Places) -> None:
    made(places)
    (chapter,) = load_chapters([], places)
    manifest = json.loads((places.figures / "good" / MANIFEST).read_text())
    assert manifest["inputs"] == inputs(chapter, places)
    assert list(manifest["files"]) == ["case/numbers.txt"]
    assert files_of(places) == ["case/numbers.txt", MACHINE, MANIFEST]


def test_the_machine_is_told_where_the_bytes_were_made_first_and_compared_by_nobody(places: Places) -> None:
    """A build on another machine leaves the file as it is, unless something else comes out."""
    made(places)
    machine = places.figures / "good" / MACHINE
    told = json.loads(machine.read_text())
    assert told["versions"]["python"] == platform.python_version()
    assert {"system", "processor", "processor_features", "cores", "commit"} <= told.keys()
    machine.write_text("another machine")
    made(places, "good", force=True)
    assert machine.read_text() == "another machine"
    add_chapter(places, "good", WRITE + "; print()")
    made(places, "good")
    assert json.loads(machine.read_text())["versions"] == told["versions"]


DEPENDS_ON = ("simcore/model.py", "requirements.lock", "notebooks/good.ipynb", "params/good.yaml", "claims/good.yaml")


@pytest.mark.parametrize("path", DEPENDS_ON)
def test_whatever_a_chapter_depends_on_makes_another_fingerprint(places: Places, path: str) -> None:
    add_chapter(places, "good", f"if False:\n    from simcore.model import RULE\n{WRITE}")
    chapter = Chapter.load(places.params / "good.yaml")
    before = inputs(chapter, places)
    with (places.root / path).open("a") as file:
        file.write("\n")
    assert inputs(chapter, places) != before


@pytest.mark.parametrize("path", ["simcore/other.py", "workbook/new.py", "params/other.yaml", "claims/other.yaml"])
def test_what_a_chapter_does_not_import_or_read_leaves_it_alone(places: Places, path: str) -> None:
    add_chapter(places, "good", f"if False:\n    from simcore.model import RULE\n{WRITE}")
    chapter = Chapter.load(places.params / "good.yaml")
    before = inputs(chapter, places)
    (places.root / path).write_text("\n")
    assert inputs(chapter, places) == before


def test_the_fingerprint_is_the_same_wherever_the_workbook_lies(
    places: Places, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chapter = Chapter.load(places.params / "good.yaml")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "workbook"
    places.root.rename(elsewhere)
    moved = inputs(chapter, Places(elsewhere))
    elsewhere.rename(places.root)
    assert inputs(chapter, places) == moved


def test_a_chapter_is_made_again_when_something_changed_or_was_lost_and_when_it_is_forced(places: Places) -> None:
    made(places)
    chapter = Chapter.load(places.params / "good.yaml")
    fingerprint = inputs(chapter, places)
    assert is_current(chapter, places, fingerprint)
    assert not is_current(chapter, places, "of other inputs")
    for path in (places.figures / "good" / "case" / "numbers.txt", places.executed(chapter.notebook)):
        content = path.read_bytes()
        path.unlink()
        assert not is_current(chapter, places, fingerprint), f"{path.name} is gone"
        path.write_bytes(content)
    assert is_current(chapter, places, fingerprint)
    (places.figures / "good" / "case" / "numbers.txt").write_text("edited by hand")
    assert kinds(made(places)) == ["started", "done"]
    assert kinds(made(places)) == ["unchanged"]
    assert kinds(made(places, force=True)) == ["started", "done"]


@pytest.mark.parametrize("content", ["", "[]", '{"inputs": 1}', '{"inputs": 1, "files": 2}'])
def test_a_manifest_that_is_none_means_that_the_chapter_has_to_be_made(places: Places, content: str) -> None:
    (places.figures / "good").mkdir(parents=True)
    (places.figures / "good" / MANIFEST).write_text(content)
    chapter = Chapter.load(places.params / "good.yaml")
    assert not is_current(chapter, places, inputs(chapter, places))


def test_files_that_are_no_longer_made_go(places: Places) -> None:
    (places.figures / "good").mkdir(parents=True)
    (places.figures / "good" / "old.png").write_text("from an earlier notebook")
    made(places)
    assert files_of(places) == ["case/numbers.txt", MACHINE, MANIFEST]


def test_a_failing_notebook_is_told_in_one_line_and_stops_nothing_else(places: Places) -> None:
    add_chapter(places, "bad", "x = 1", "# Divide\nx / 0")
    events = {event.chapter: event for event in made(places)}
    assert events["good"].kind == "done"
    assert events["bad"] == Event(
        "bad",
        "failed",
        "notebooks/bad.ipynb failed in cell [4] `# Divide`: ZeroDivisionError: division by zero; "
        "see build/notebooks/bad.partial.ipynb",
    )
    partial = nbformat.read(places.partial("notebooks/bad.ipynb"), as_version=4)
    assert "ZeroDivisionError" in str([cell.get("outputs") for cell in partial.cells])


def test_a_failing_notebook_leaves_the_old_figures_and_is_run_again(places: Places) -> None:
    made(places)
    before = files_of(places)
    add_chapter(places, "good", WRITE, "raise SystemExit('enough')")
    assert kinds(made(places)) == ["started", "failed"]
    assert files_of(places) == before
    chapter = Chapter.load(places.params / "good.yaml")
    assert not is_current(chapter, places, inputs(chapter, places)), "it is run again, until it comes to its end"


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("import os; os._exit(3)", "notebooks/bad.ipynb failed in cell `import os; os._exit(3)`: DeadKernelError: "),
        ("pass", "notebooks/bad.ipynb wrote no file to build/figures/bad, its parameter `output`"),
        ("import os, signal; os.kill(os.getppid(), signal.SIGKILL)", "notebooks/bad.ipynb: its process ended with"),
    ],
)
def test_other_ways_to_fail_are_one_line_too(
    places: Places, cell: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(places.root))  # a process that is killed can't clean up
    add_chapter(places, "bad", cell)
    started, failed = made(places, "bad")
    assert (started.kind, failed.kind) == ("started", "failed")
    assert failed.text.startswith(reason)
    assert "\n" not in failed.text


@pytest.mark.parametrize(
    ("defaults", "found"),
    [
        (DEFAULTS + "\ncolour = 'red'", "colour, engine, output, params_file"),
        ("output: str = ''", "output"),
        ("", "nothing"),
    ],
)
def test_a_notebook_must_take_exactly_our_parameters(places: Places, defaults: str, found: str) -> None:
    add_chapter(places, "bad", WRITE, defaults=defaults)
    with pytest.raises(NotebookError) as error:
        load_chapters([], places)
    assert str(error.value) == (
        f"{places.root}/notebooks/bad.ipynb: the parameters cell sets {found}; "
        "it must set exactly engine, output, params_file"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not a notebook"),
        ("[" * 3000, "not a notebook"),
        ('{"cells": []}', "not a notebook: 'metadata' is a required property"),
        ('{"nbformat": 4, "nbformat_minor": [5], "metadata": {}, "cells": []}', "not a notebook"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [3]}', "not a notebook: .*"),
        (nbformat.writes(new_notebook()), "0 cells are tagged `parameters`; it must be one"),
    ],
)
def test_a_file_that_is_no_notebook_of_ours_is_refused(places: Places, content: str, reason: str) -> None:
    (places.root / "notebooks" / "good.ipynb").write_text(content)
    with pytest.raises(NotebookError, match=f"{reason}$"):
        load_chapters(["good"], places)


def test_a_chapter_that_does_not_exist_is_refused_with_those_that_do(places: Places) -> None:
    with pytest.raises(ChapterError) as error:
        load_chapters(["worse"], places)
    assert str(error.value) == "CHAPTER: 'worse' is not known; allowed: good"


def test_the_users_own_settings_change_nothing(places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    for kernel in ("python3", "mine"):
        spec = home / "jupyter" / "kernels" / kernel / "kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(json.dumps({"argv": ["/bin/false"], "display_name": kernel, "language": "python"}))
    startup = home / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "mine.py").write_text("from builtins import *\nopen = None\n")
    (home / "matplotlibrc").write_text("figure.dpi: 7\n")
    for name, value in {"JUPYTER_PATH": "jupyter", "IPYTHONDIR": "ipython", "MATPLOTLIBRC": ""}.items():
        monkeypatch.setenv(name, str(home / value))
    look = "import matplotlib, sys\nassert matplotlib.rcParams['figure.dpi'] != 7\nassert callable(open)"
    where = "from pathlib import Path\nassert Path('params').is_dir()\nPath(output, 'python').write_text(sys.prefix)"
    add_chapter(places, "mine", look, where, kernel="mine")
    assert kinds(made(places, "mine")) == ["started", "done"]
    assert (places.figures / "mine" / "python").read_text() == sys.prefix


def test_chapters_run_side_by_side(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    meet = (
        "import time\nfrom pathlib import Path\nPath(output, 'here').write_text('')\nuntil = time.time() + 60\n"
        "while len(list(Path('build/figures').glob('*/here'))) < 2:\n"
        "    assert time.time() < until, 'alone'\n    time.sleep(0.05)\n"
        "time.sleep(0.3)"
    )
    add_chapter(places, "left", meet)
    add_chapter(places, "right", meet)
    assert kinds(made(places, "left", "right")) == ["started", "started", "done", "done"]


def test_never_more_chapters_at_once_than_cores(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    add_chapter(places, "other", WRITE)
    assert kinds(made(places)) == ["started", "done", "started", "done"]


@pytest.mark.skipif(not FORKS, reason="kernels are forked on Linux alone")
def test_a_chapter_begins_with_everything_imported_and_may_have_processes_of_its_own(places: Places) -> None:
    imported = "import sys\nassert {'seaborn', 'scipy.signal', 'workbook.chapters.study'} <= set(sys.modules)"
    pool = (
        "from concurrent.futures import ProcessPoolExecutor\nfrom multiprocessing import get_context\n"
        "with ProcessPoolExecutor(1, get_context('spawn')) as pool:\n    assert pool.submit(abs, -1).result() == 1"
    )
    add_chapter(places, "good", imported, pool, WRITE)
    assert kinds(made(places)) == ["started", "done"]


def test_a_figure_that_no_cell_saves_is_shown_as_in_jupyterlab(places: Places) -> None:
    add_chapter(places, "good", "import matplotlib.pyplot as plt\nax = plt.figure().subplots()", WRITE)
    assert kinds(made(places)) == ["started", "done"]
    executed = nbformat.read(places.executed("notebooks/good.ipynb"), as_version=4)
    assert any("image/png" in output.get("data", {}) for cell in executed.cells for output in cell["outputs"])


def test_a_kernel_that_is_not_needed_ends_with_its_chapter(places: Places) -> None:
    chapter = Chapter.load(places.params / "good.yaml")
    (places.root / "notebooks" / "good.ipynb").write_text("{}")  # after the build has looked at it
    assert kinds(build([chapter], places)) == ["started", "failed"]


def test_a_cell_that_hangs_is_ended_and_named(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    add_chapter(places, "good", "import time\ntime.sleep(600)")
    monkeypatch.chdir(places.root)
    monkeypatch.setattr("workbook.build.notebook.LONGEST_CELL_S", 1)
    with pytest.raises(NotebookError, match=r"failed in cell `import time`: CellTimeoutError"):
        execute(places.root / "notebooks" / "good.ipynb", places.root / "done.ipynb", {}, lambda number, count: None)


def test_progress_is_a_line_per_event_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(live=False)
    for kind, text in [("started", "notebook"), ("cell", "cell 1 of 2"), ("failed", "a reason"), ("done", "3 files")]:
        progress.show(Event("good", kind, text))  # type: ignore[arg-type]
    assert capsys.readouterr() == ("good: notebook\ngood: 3 files\n", "Error: good: a reason\n")


def test_progress_on_a_terminal_ends_in_a_line_of_what_is_running(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(live=True)
    progress.show(Event("left", "started", "notebook"))
    progress.show(Event("right", "started", "notebook"))
    progress.show(Event("left", "cell", "cell 2 of 9"))
    assert capsys.readouterr().out.endswith("\r\x1b[2Kleft: cell 2 of 9   right: notebook")
    progress.show(Event("left", "done", "3 files"))
    assert capsys.readouterr().out == "\r\x1b[2Kleft: 3 files\nright: notebook"
