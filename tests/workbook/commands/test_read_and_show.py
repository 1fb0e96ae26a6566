"""`workbook read`, and what `workbook run` shows of a run: figures with a page, and a notebook."""

import gzip
import re
from collections.abc import Sequence
from pathlib import Path

import nbformat
import pytest
import xarray as xr
from click.testing import CliRunner, Result

from workbook.commands.cli import main

SCENARIO = """\
profile: ns-2.35
end_s: 1
bottleneck: {rate_mbps: 1, delay_ms: 10, queue: droptail, buffer_packets: 5}
flows:
  - {kind: tcp, variant: reno, packet_bytes: 500, window_packets: 20, start_s: 0, stop_s: 1}
  - {kind: udp, source: cbr, packet_bytes: 500, rate_mbps: 0.3, start_s: 0, stop_s: 1}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(SCENARIO)
    return tmp_path


def workbook(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def rows(output: str) -> list[Sequence[str]]:
    """The numbers of each line of the table: kb/s knows the source's stop in one and the last packet in the other."""
    return [re.findall(r"[-\d.]+", line)[-8:] for line in output.splitlines() if line.startswith(("TCP", "UDP", "CBR"))]


def test_a_trace_gives_the_table_of_the_run_that_wrote_it() -> None:
    ran, read = workbook("run", "mine.yaml", "--trace", "."), workbook("read", "mine.tr", "--dataset", "out")
    assert ran.exit_code == read.exit_code == 0
    ours, theirs = rows(ran.stdout), rows(read.stdout)
    assert [row[:5] for row in theirs] == [row[:5] for row in ours]
    assert [row[6:] for row in theirs] == [row[6:] for row in ours]
    assert xr.load_dataset("out/mine.nc", engine="h5netcdf").sizes["flow"] == 2


@pytest.mark.parametrize(("command", "window"), [("run mine.yaml", "cwnd"), ("read mine.tr", "flight-size")])
def test_every_figure_is_on_the_page_with_words(command: str, window: str, here: Path) -> None:
    workbook("run", "mine.yaml", "--trace", ".")
    assert workbook(*command.split(), "--figures", "out").exit_code == 0
    page = (here / "out/mine/index.html").read_text()
    shown = re.findall(r'<img src="([\w-]+)\.png" alt="[^"]+"', page)
    assert sorted(shown) == sorted(path.stem for path in (here / "out/mine").glob("*.png"))
    assert window in shown
    assert "queue-total" in shown
    assert "TCP" in page


def test_the_notebook_has_the_parameters_and_was_executed(here: Path) -> None:
    ran = workbook("run", "mine.yaml", "--engine", "compiled", "--notebook", "out")
    assert ran.exit_code == 0, ran.output
    notebook = nbformat.read(here / "out/mine.ipynb", as_version=4)
    [given] = [cell.source for cell in notebook.cells if "injected-parameters" in cell.metadata.get("tags", [])]
    assert f'scenario_file = "{here / "mine.yaml"}"' in given
    assert 'engine = "compiled"' in given
    pictures = [out for cell in notebook.cells for out in cell.get("outputs", []) if "image/png" in out.get("data", {})]
    assert len(pictures) >= 6
    assert not [out for cell in notebook.cells for out in cell.get("outputs", []) if out.output_type == "error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.tr"], "nowhere.tr: cannot be read: no such file or directory"),
        (["mine.yaml"], "mine.yaml: no event of ns-2's trace format; a line begins with one of +-dr"),
        (["mine.tr", "--link", "2:3"], "--link: '2:3' is no link; must be two nodes, as 2-3"),
        (["mine.tr", "--link", "7-8"], "mine.tr: link 7-8: no data pass it; data pass 0-1"),
        (["bad.gz"], "bad.gz: cannot be read: error -3 while decompressing data: invalid block type"),
        (["half.xz"], "half.xz: cannot be read: compressed file ended before the end-of-stream marker was reached"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(arguments: list[str], said: str, here: Path) -> None:
    workbook("run", "mine.yaml", "--trace", ".")
    (here / "bad.gz").write_bytes(gzip.compress(b"+ 0.1")[:10] + b"\xff" * 20)
    (here / "half.xz").write_bytes(b"\xfd7zXZ\x00\x00\x04")
    read = workbook("read", *arguments)
    assert (read.exit_code, read.stderr) == (2, f"Error: {said}\n")


def test_a_capture_that_cannot_be_written_is_refused_before_anything_is_simulated(here: Path) -> None:
    (here / "mine.yaml").write_text(SCENARIO.replace("cbr, packet_bytes: 500", "cbr, packet_bytes: 20"))
    ran = workbook("run", "mine.yaml", "--trace", "out", "--pcap", "out")
    said = "Error: mine.yaml: --pcap: flow 2: packets of 20 bytes hold no headers; udp needs 28\n"
    assert (ran.exit_code, ran.stdout, ran.stderr) == (2, "", said)
    assert not (here / "out").exists()
