"""Students' code against the grader: nobody decides a grade with it, their own or another's."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workbook.teaching.tiny import KEY, SHEET, grade, hand_in, lost
from workbook.paths import REPO
from workbook.teaching.sandbox.channel import Limits, Sandbox

pytestmark = pytest.mark.system("workbook.teaching.sandbox.server", "workbook.teaching.sandbox.player")

ENDED = "was ended, or ended itself"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course in which boris has handed in, and somebody has scores."""
    hand_in(tmp_path, "boris")
    (tmp_path / "gradebook.db").write_text("the scores")
    return tmp_path


def contents(course: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in course.rglob("*") if path.is_file() and "anna" not in path.parts}


FILES = {
    "the gradebook, by a relative path": "open('../../../gradebook.db', 'w').write('792 of 20')",
    "the gradebook, by its path": "open('{course}/gradebook.db', 'w').write('792 of 20')",
    "another's submission": "open('{course}/submitted/boris/{sheet}/{sheet}.ipynb', 'w').write('')",
    "the keys": "open('{course}/source/{sheet}/{sheet}.ipynb').read()",
    "the keys, by a link": "import os; os.symlink('{course}/source', 'here'); os.listdir('here')",
    "the workbook": "import workbook; open(workbook.__file__, 'a')",
    "a file of its own, too large for the disk": "for i in range(100): open(str(i), 'wb').write(bytes(10**7))",
    "a socket": "import socket; socket.create_connection(('192.0.2.1', 80), timeout=9)",
    "more memory than there is": "bytes(10**11)",
    "a higher limit": "import resource; resource.setrlimit(resource.RLIMIT_NPROC, (10**6, 10**6))",
    "root": "import os; os.setuid(0)",
}


@pytest.mark.parametrize("attack", FILES.values(), ids=FILES)
def test_what_is_not_ours_is_out_of_reach(attack: str, course: Path, box: Sandbox) -> None:
    before = contents(course)
    hand_in(course, "anna", {"number": attack.format(course=course, sheet=SHEET)})
    found = grade(course, "anna", box)
    assert lost(found).keys() == {"number-check"}
    assert "its cell failed with" in lost(found)["number-check"]  # it was refused, and not only in vain
    assert contents(course) == before


TRICKS = {
    "patching check": "import workbook.teaching.check as c\nc.close = c.number = lambda *a, **k: None\nnumber = 1",
    "an AST transformer": """
import ast
class Pass(ast.NodeTransformer):
    def visit_Call(self, node):
        return ast.Constant(None)
    def visit_Assert(self, node):
        return ast.Pass()
get_ipython().ast_transformers.append(Pass())
number = 1
""",
    "a hook before each cell": "get_ipython().events.register('pre_run_cell', lambda info: exit())\nnumber = 1",
    "a number that equals all": "class Liar(float):\n    __eq__ = __le__ = lambda *_: True\nnumber = Liar(1)",
    "a number that is computed later": "class Late:\n    def __float__(self): return 1.0\nnumber = Late()",
    "a pickle": "class Bomb:\n    def __reduce__(self): return exec, ('1/0',)\nnumber = Bomb()",
    "a word for a number": "number = 'nan'",
    "too much": "number = list(range(10**6))",
    "too deep": "number = []\nfor _ in range(500): number = [number]",
    "too long": "number = 'x' * 10**8",
    "not finite": "number = float('inf')",
    "beyond all doubles": "number = 10 ** 400",
}


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS)
def test_a_wrong_answer_stays_wrong(trick: str, course: Path, box: Sandbox) -> None:
    hand_in(course, "anna", {"number": trick})
    assert "number-check" in lost(grade(course, "anna", box))


HANGS = {
    "an endless loop": "while True: pass",
    # The alarm must ring where nothing catches it. A long call in the loop makes that rare: then the sheet ends as one
    # that says nothing (below).
    "one that catches everything": "while True:\n    try:\n        abs(1)\n    except:\n        pass",
}


@pytest.mark.parametrize("loop", HANGS.values(), ids=HANGS)
def test_an_endless_loop_costs_its_own_points_alone(loop: str, course: Path, box: Sandbox) -> None:
    hand_in(course, "anna", {"number": loop})
    said = lost(grade(course, "anna", box))
    assert said == {"number-check": "number: not there; its cell failed with CellTimeout: this cell was stopped: it "
                                    "computed for more than 1 s"}  # fmt: skip


def test_a_function_that_never_returns_costs_its_own_points_alone(course: Path, box: Sandbox) -> None:
    hand_in(course, "anna", {"double": "def double(x):\n    while True: pass"})
    said = lost(grade(course, "anna", box))
    assert said.keys() == {"double-check"}
    assert "your function failed: CellTimeout" in said["double-check"]


def test_a_fork_bomb_gets_no_further_than_its_limit(course: Path, box: Sandbox) -> None:
    bomb = "import os\ntry:\n    while True: os.fork() or os.pause()\nexcept BlockingIOError:\n    number = 42.5"
    hand_in(course, "anna", {"number": bomb.replace("os.pause()", "__import__('signal').pause()")})
    assert lost(grade(course, "anna", box)) == {}
    hand_in(course, "boris")
    assert lost(grade(course, "boris", box)) == {}


DEATHS = {
    "it ends itself": "import os; os._exit(0)",
    "and leaves a process behind": "import os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass\nos._exit(0)",
    "it writes into the pipe": """
import os
for pipe in range(3, 128):
    try:
        os.write(pipe, b'{]\\n')
    except OSError:
        pass
""",
}


@pytest.mark.parametrize("death", DEATHS.values(), ids=DEATHS)
def test_a_process_that_ends_costs_what_comes_behind(death: str, course: Path, box: Sandbox) -> None:
    """Everything it started has ended with it: else the pipe would still be open, and the grader wait."""
    hand_in(course, "anna", {"double": death})
    found = grade(course, "anna", box)
    assert lost(found).keys() == {"double-check", "last-check"}
    assert any("not all of it was run" in note for note in found.notes)
    assert not any("in time" in note for note in found.notes)


@pytest.mark.parametrize("target", ["os.getppid()", "-1", "1", "0"])
def test_nobody_outside_can_be_killed(target: str, course: Path, box: Sandbox) -> None:
    hand_in(course, "anna", {"number": f"import os\nos.kill({target}, 9)\nnumber = {KEY}"})
    grade(course, "anna", box)  # whatever becomes of the sheet
    assert box.server.poll() is None
    assert lost(grade(course, "boris", box)) == {}


def test_whoever_ignores_the_alarm_is_ended(course: Path) -> None:
    stubborn = "import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\nwhile True: pass"
    hand_in(course, "anna", {"double": stubborn})
    with Sandbox(isolated=True, limits=Limits(cell_cpu_s=1, silent_s=5, sheet_s=60)) as box:
        found = grade(course, "anna", box)
    assert lost(found).keys() == {"double-check", "last-check"}
    assert "not all of it was run: it did not end in time, and was ended" in found.notes


@pytest.fixture(scope="module")
def limited() -> Iterator[Sandbox]:
    with Sandbox(isolated=False, limits=Limits(cell_cpu_s=1, silent_s=20, sheet_s=60)) as found:
        yield found


@pytest.mark.parametrize("death", list(DEATHS.values())[:2], ids=list(DEATHS)[:2])
def test_without_namespaces_nothing_is_left_behind_either(death: str, course: Path, limited: Sandbox) -> None:
    hand_in(course, "anna", {"double": death})
    found = grade(course, "anna", limited)
    assert lost(found).keys() == {"double-check", "last-check"}
    assert ENDED in found.notes[0]


def test_the_sandbox_shows_no_course_and_no_keys(course: Path, box: Sandbox) -> None:
    look = "from pathlib import Path\nfrom workbook.paths import REPO\nlast = [path.exists() for path in"
    hand_in(course, "anna", {"last": f"{look} (REPO.labs, REPO.root / 'tests', REPO.build, Path({str(course)!r}))]"})
    [said] = lost(grade(course, "anna", box)).values()
    assert said.startswith("the answer is [False, False, False, False]")


def test_the_sandbox_has_nothing_of_our_environment(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    hand_in(course, "anna", {"last": "import os\nlast = os.environ.get('SECRET_TOKEN', 'b')"})
    assert os.environ["SECRET_TOKEN"] == "hush"
    with Sandbox(isolated=True) as box:
        assert lost(grade(course, "anna", box)) == {"last-check": "the answer is 'b', which is not right"}


def test_the_workbook_may_lie_in_the_folder_tmp(course: Path, box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sheet has a folder of that name of its own."""
    with tempfile.TemporaryDirectory(dir="/tmp") as copy:
        for part in ("simcore", "workbook", "params"):
            shutil.copytree(REPO.root / part, Path(copy, part))
        monkeypatch.setenv("PYTHONPATH", copy)
        hand_in(course, "anna", {"last": "import workbook\nlast = workbook.__file__"})
        with Sandbox(isolated=True) as elsewhere:
            [said] = lost(grade(course, "anna", elsewhere)).values()
    assert f"'{copy}/workbook/__init__.py'" in said
