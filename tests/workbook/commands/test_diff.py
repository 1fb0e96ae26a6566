"""`workbook diff`: where two runs part, whatever they were recorded by."""

import re
from pathlib import Path

import pytest

from tests.workbook.commands.test_read_and_show import SCENARIO, workbook


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same run as scenario, dataset and trace, and a scenario with one number changed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(SCENARIO)
    (tmp_path / "yours.yaml").write_text(SCENARIO.replace("buffer_packets: 5", "buffer_packets: 6"))
    assert workbook("run", "mine.yaml", "--dataset", ".", "--trace", ".").exit_code == 0
    return tmp_path


def sides(output: str) -> list[list[str]]:
    """The lines that are shown before, of A and of B."""
    return [part.splitlines()[1:] for part in output.split("\n\n")[1:]]


@pytest.mark.parametrize("one", ["mine.yaml", "mine.nc", "mine.tr"])
@pytest.mark.parametrize("other", ["mine.yaml", "mine.nc", "mine.tr"])
def test_the_same_run_is_the_same_however_it_was_recorded(one: str, other: str, here: Path) -> None:
    events = len((here / "mine.tr").read_text().splitlines())
    same = workbook("diff", one, other)
    assert (same.exit_code, same.stdout) == (0, f"{one} and {other} are the same: {events} events\n")


@pytest.mark.parametrize("mine", ["mine.yaml", "mine.nc", "mine.tr"])
def test_a_scenario_with_one_number_changed_parts_at_the_drop_that_the_other_has_not(mine: str, here: Path) -> None:
    """A buffer of 6 takes the packet that one of 5 refuses: the first drop of the trace."""
    lines = (here / "mine.tr").read_text().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("d"))
    parted = workbook("diff", mine, "yours.yaml")
    assert parted.exit_code == 1
    at = float(lines[first].split()[1])
    assert parted.stdout.startswith(
        f"{mine} and yours.yaml part at {at:.6f} s, after {first} events that are the same\n"
    )
    before, ours, theirs = sides(parted.stdout)
    assert len(before) == 10
    assert [float(line.split()[1]) for line in before] == [float(line.split()[1]) for line in lines[first - 10 : first]]
    assert ours[0].split()[0] == "d"
    assert theirs[0].split()[0] != "d"
    assert theirs[-1].startswith("    TCP Reno 1: ")
    assert ours[-1].startswith("    TCP Reno 1: ") is (mine != "mine.tr"), "a trace tells nothing of windows"


@pytest.mark.parametrize(("column", "value"), [(0, "d"), (1, "0.9"), (5, "501"), (10, "7777"), (11, "7777")])
def test_a_trace_with_one_line_changed_parts_there(column: int, value: str, here: Path) -> None:
    lines = (here / "mine.tr").read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if number > 150 and re.match(r"- \S+ 0 1 tcp", line))
    changed = lines[place].split()
    changed[column] = value
    (here / "other.tr").write_text("\n".join([*lines[:place], " ".join(changed), *lines[place + 1 :]]) + "\n")
    parted = workbook("diff", "mine.tr", "other.tr")
    assert parted.exit_code == 1
    assert f", after {place} events that are the same\n" in parted.stdout


def test_a_trace_that_ends_early_parts_at_its_end(here: Path) -> None:
    lines = (here / "mine.tr").read_text().splitlines(keepends=True)
    (here / "short.tr").write_text("".join(lines[:-5]))
    parted = workbook("diff", "short.tr", "mine.tr")
    _, ours, theirs = sides(parted.stdout)
    assert (parted.exit_code, ours, len(theirs)) == (1, ["    no more events"], 3)


@pytest.mark.parametrize("other", ["yours.yaml", "yours.tr"])
def test_the_figure_marks_the_moment(other: str, here: Path) -> None:
    workbook("run", "yours.yaml", "--trace", ".")
    assert workbook("diff", "mine.yaml", other, "--figures", "out").exit_code == 1
    drawn = (here / "out/mine-yours.svg").read_text()
    assert ("cwnd in packets" if other == "yours.yaml" else "flight size in packets") in drawn
    assert "the first difference" in drawn
    assert (here / "out/mine-yours.png").stat().st_size > 0


def test_no_figure_is_drawn_of_what_is_the_same(here: Path) -> None:
    assert workbook("diff", "mine.yaml", "mine.nc", "--figures", "out").exit_code == 0
    assert list((here / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.nc", "mine.nc"], "nowhere.nc: cannot be read: no such file or directory"),
        (["mine.yaml", "nowhere.tr"], "nowhere.tr: cannot be read: no such file or directory"),
        (["text.nc", "mine.nc"], "text.nc: cannot be read: no netCDF file, or a damaged one"),
        (["mine.nc", "mine.nc", "--engine", "steam"], "--engine: 'steam' is not known; allowed: process, compiled"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(arguments: list[str], said: str, here: Path) -> None:
    (here / "text.nc").write_text("no netCDF")
    refused = workbook("diff", *arguments)
    assert (refused.exit_code, refused.stderr) == (2, f"Error: {said}\n")
