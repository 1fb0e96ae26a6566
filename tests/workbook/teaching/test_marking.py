"""One bad sheet costs only itself, names what is wrong with it, and gives no script back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simcore.rules.congestion.registry import CONTROLS
from tests.workbook.teaching.tiny import KEY, SHEET, code, grade, hand_in, lost
from workbook.teaching.autograded import autograded
from workbook.teaching.feedback import page
from workbook.teaching.sandbox.channel import Sandbox
from workbook.teaching.sheet import asked_of, cells_of

SCRIPT = "<script>alert(1)</script>"


def test_a_solved_sheet_earns_all_and_an_untouched_one_nothing(tmp_path: Path, box: Sandbox) -> None:
    hand_in(tmp_path, "anna")
    assert lost(grade(tmp_path, "anna", box)) == {}
    untouched = "raise NotImplementedError()"
    hand_in(tmp_path, "boris", dict.fromkeys(["number", "double", "last"], untouched))
    assert set(lost(grade(tmp_path, "boris", box)).values()) == {"not answered"}


def test_the_feedback_tells_question_answer_key_and_why(tmp_path: Path, box: Sandbox) -> None:
    hand_in(tmp_path, "anna", {"number": "number = 41"})
    mark = grade(tmp_path, "anna", box).marks[0]
    assert mark[:5] == ("number-check", "Question 1", 0, 1, "the answer is 41, which is not right")
    assert mark.compared == [("the answer", "41", "42.5 ± 1 %", False)]
    assert mark.why == "the key is the key."
    assert "Question 1 (number-check): 0 of 1" in page(grade(tmp_path, "anna", box))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("boris", "STUDENT is 'boris', and it was handed in by 'anna': everybody has numbers of their own"),
        ("", "STUDENT: nothing is given"),
    ],
)
def test_a_foreign_id_is_one_message_and_earns_nothing(given: str, said: str, tmp_path: Path, box: Sandbox) -> None:
    path = hand_in(tmp_path, "anna")
    path.write_text(path.read_text().replace('STUDENT = \\"anna\\"', f'STUDENT = \\"{given}\\"'))
    found = grade(tmp_path, "anna", box)
    assert sum(mark.points for mark in found.marks) == 0
    [note] = found.notes
    assert note.startswith(said)
    assert set(lost(found).values()) == {note}


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    change(notebook)
    path.write_text(json.dumps(notebook), "utf-8")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"cells": [', "not a notebook: line 1: Expecting value"),
        ("[" * 100_000, "not a notebook"),
        ("[]", "a notebook of format None; must be 4, as JupyterLab saves it"),
        ('{"nbformat": 3, "worksheets": []}', "a notebook of format 3; must be 4, as JupyterLab saves it"),
        ('{"nbformat": 4}', "a notebook without cells"),
        ('{"nbformat": 4, "cells": [1]}', "cell 1 is no cell of a notebook"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "metadata": {}}]}', "cell 1 is no cell of a notebook"),
    ],
)
def test_what_is_no_notebook_says_so(text: str, problem: str, tmp_path: Path, box: Sandbox) -> None:
    hand_in(tmp_path, "anna").write_text(text)
    found = grade(tmp_path, "anna", box)
    assert (found.marks, found.problem) == ([], f"{SHEET}.ipynb: {problem}")
    assert problem in page(found)


def test_a_copied_test_cell_costs_nothing_and_is_noted(tmp_path: Path, box: Sandbox) -> None:
    changed(hand_in(tmp_path, "anna"), lambda notebook: notebook["cells"].append(notebook["cells"][4]))
    found = grade(tmp_path, "anna", box)
    assert lost(found) == {}
    assert found.notes == ["the cell 'number-check' is there 2 times"]


def test_a_copied_answer_counts_where_it_is_checked(tmp_path: Path, box: Sandbox) -> None:
    changed(hand_in(tmp_path, "anna"), lambda each: each["cells"].append(code("number = 1", "number", solution=True)))
    assert lost(grade(tmp_path, "anna", box)) == {}


def test_a_test_cell_that_is_gone_is_asked_for_all_the_same(tmp_path: Path, box: Sandbox) -> None:
    changed(hand_in(tmp_path, "anna"), lambda notebook: notebook["cells"].pop(4))
    found = grade(tmp_path, "anna", box)
    assert lost(found) == {}
    assert found.notes == ["the cell 'number-check' is gone"]


def test_a_changed_test_cell_is_as_it_was_released(tmp_path: Path, box: Sandbox) -> None:
    changed(hand_in(tmp_path, "anna"), lambda notebook: notebook["cells"][4].update(source=f"number = {KEY}"))
    changed(tmp_path / "submitted" / "anna" / SHEET / f"{SHEET}.ipynb", lambda each: each["cells"].pop(3))
    assert lost(grade(tmp_path, "anna", box))["number-check"] == "number: not there; no cell sets it"


def test_a_huge_output_is_no_answer_and_comes_not_back(tmp_path: Path, box: Sandbox) -> None:
    hand_in(tmp_path, "anna", {"number": f"for _ in range(10**4): print('x' * 10**4)\nnumber = {KEY}"})
    found = grade(tmp_path, "anna", box)
    assert lost(found) == {}
    assert len(page(found)) < 10_000


def test_no_script_of_a_student_comes_back(tmp_path: Path, box: Sandbox) -> None:
    answers = {
        "number": f"number = {SCRIPT!r}",
        "double": f"raise ValueError({SCRIPT!r})",
        "last": f"last = {SCRIPT!r}",
    }
    path = hand_in(tmp_path, "anna", answers)
    found = grade(tmp_path, "anna", box)
    assert len(lost(found)) == 3
    assert "<script" not in page(found)
    master = cells_of(tmp_path / "source" / SHEET / f"{SHEET}.ipynb")
    shown = json.loads(autograded(found, cells_of(path), master))
    outputs = [output for cell in shown["cells"] for output in cell.get("outputs", [])]
    assert {output["output_type"] for output in outputs} == {"stream"}


CONTROLLER = """
from simcore.rules.congestion.registry import register
from types import SimpleNamespace
register("tiny", SimpleNamespace(data_acknowledged=number))
from simcore import simulate, scenario_from
flow = {"kind": "tcp", "variant": "tiny", "packet_bytes": 1000, "window_packets": 20, "start_s": 0, "stop_s": 1}
link = {"rate_mbps": 1, "delay_ms": 10, "queue": "droptail", "buffer_packets": 5}
run = simulate(scenario_from({"profile": "rfc", "end_s": 1, "bottleneck": link, "flows": [flow]}))
assert run["update_cwnd"][-1] == 7, f"cwnd came to {float(run['update_cwnd'][-1])}"
"""


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("tcp.cwnd = 7", ""),
        ("tcp.cwnd = 6", "cwnd came to 6.0"),
        ("tcp.cwnd = float('nan')", "cwnd became nan; must be a number of packets from 0 on"),
        ("tcp.highest_ack = 10**6", "a congestion control sets cwnd, ssthresh and cause; yours set highest_ack"),
        ("tcp.cause = 99", "cause must be one of the causes, as CONGESTION_AVOIDANCE is"),
        ("1 / 0", "your function failed: ZeroDivisionError: division by zero"),
    ],
)
def test_a_students_controller_runs_in_the_sandbox_and_the_network_here(
    rule: str, said: str, tmp_path: Path, box: Sandbox
) -> None:
    hand_in(tmp_path, "anna", {"number": f"def number(tcp, own, now):\n    {rule}"})
    master = tmp_path / "source" / SHEET / f"{SHEET}.ipynb"
    changed(master, lambda notebook: notebook["cells"][4].update(source=CONTROLLER))
    assert lost(grade(tmp_path, "anna", box)).get("number-check", "") == said
    assert "tiny" not in CONTROLS


def test_a_graded_cell_asks_for_what_it_does_not_make_itself() -> None:
    source = (
        "from a import b\nimport c.d\nx = [y for y in z]\n\ndef f(v): return v + w\n\nprint(b, c, x, f(1), STUDENT)"
    )
    assert asked_of(source) == ["w", "z"]
