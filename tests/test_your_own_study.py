"""docs/your-own-study.md: its scenario and commands do what it says. Its chapter is CONTRIBUTING.md's recipe."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from workbook.commands.cli import main

PAGE = (Path(__file__).parents[1] / "docs" / "your-own-study.md").read_text("utf-8")
COMMANDS = [line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S) for line in block.splitlines()]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What each command that needs no checkout prints, by its second and third word."""
    monkeypatch.chdir(tmp_path)
    [scenario] = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    Path("one.yaml").write_text(scenario)
    Path("two.yaml").write_text(scenario.replace("lost_packets: [15]", "lost_packets: [15, 29]"))
    runnable = [line.split()[1:] for line in COMMANDS if "lost-packets" not in line]
    results = {" ".join(words[:2]): CliRunner().invoke(main, words) for words in runnable}
    codes = {name: result.exit_code for name, result in results.items()}
    assert codes == {"run one.yaml": 0, "diff one.yaml": 1, "read out/two.tr": 0, "read out/two.pcapng": 0}
    return {name: result.stdout for name, result in results.items()}


def test_the_study_comes_out_as_it_is_told(told: dict[str, str]) -> None:
    received = [re.split(r"\s{2,}", line)[3] for line in told["run one.yaml"].splitlines() if line.startswith("TCP")]
    assert [f"{number} packets arrive with one loss" in PAGE for number in received[:1]] == [True]
    assert f"loss, {received[1]} with two" in PAGE
    assert "part at 0.901900 s" in told["diff one.yaml"]
    assert re.search(r"^ +d +0\.901900 s .* data +28 ", told["diff one.yaml"], re.M)
    assert told["read out/two.tr"].splitlines()[2].split()[:4] == ["TCP", "1", "375", "2"]
    assert told["read out/two.pcapng"].splitlines()[2].split()[:4] == ["TCP", "1", "375", "-"]
    for path in (
        "out/one/index.html",
        "out/two/index.html",
        "out/one-two.png",
        "read/two/index.html",
        "seen/two/index.html",
    ):
        assert Path(path).is_file(), path


def test_the_chapters_commands_are_those_of_the_recipe() -> None:
    assert [line for line in COMMANDS if "lost-packets" in line] == [
        "workbook new lost-packets",
        "workbook figures lost-packets",
    ]
