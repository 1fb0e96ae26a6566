"""A study: its runs as a tree that is opened again, tidy frames, and figures that are shown as they are saved."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
import xarray as xr
from matplotlib.figure import Figure

from simcore import simulate
from simcore.results.tree import tree_of
from tests.simcore.scenes import scene, tcp_flow, udp_flow
from workbook.chapters import runs as runs_module
from workbook.chapters.frame import frame
from workbook.chapters.runs import kept
from workbook.chapters.study import Study
from workbook.paths import REPO, Places
from workbook.plots.describe import describe


@pytest.fixture(scope="module")
def tree() -> xr.DataTree:
    flows = {"zeta": [tcp_flow(), udp_flow()], "alpha": [tcp_flow()]}
    return xr.DataTree.from_dict({case: tree_of(simulate(scene(*each, end_s=1))) for case, each in flows.items()})


def test_a_tree_is_kept_and_opened_again_the_same_until_what_it_is_made_from_changes(
    tree: xr.DataTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "REPO", Places(tmp_path))
    made = kept("small", ["a scenario"], lambda: tree.copy())
    opened = kept("small", ["a scenario"], lambda: pytest.fail("simulated again"))
    assert opened.identical(made)
    assert list(opened.children) == ["zeta", "alpha"], "in the order of the cases"
    assert list(opened["zeta"].children) == list(made["zeta"].children)
    with pytest.raises(AssertionError, match="simulated"):
        kept("small", ["another scenario"], lambda: _refuse())


def _refuse() -> xr.DataTree:
    raise AssertionError("simulated")


def test_a_frame_has_a_row_for_each_observation(tree: xr.DataTree) -> None:
    latency = frame(tree, "latency_ms")
    assert list(latency.columns) == ["case", "flow", "time_s", "latency_ms"]
    assert latency.attrs["label"] == "latency in ms"
    assert frame(tree, "queue_packets").attrs["label"] == "packets waiting"
    received = {case: int(tree[case]["flows"]["received"].sum()) for case in tree.children}
    assert latency.groupby("case").size().to_dict() == received
    assert frame(tree, "throughput_kbps")["flow"].tolist() == ["TCP Reno 1", "UDP CBR 2", "TCP Reno 1"]
    assert frame(tree, "utilisation_percent", ["case"])["case"].tolist() == ["zeta", "alpha"]
    assert len(frame(tree, "queue_packets", ["case"])) == sum(tree[case]["queue"].sizes["change"] for case in tree)
    eras = frame(xr.DataTree.from_dict({"old": tree, "new": tree}), "throughput_kbps", ["era", "case", "flow"])
    assert eras["era"].tolist() == ["old"] * 3 + ["new"] * 3


def test_a_frame_of_what_does_not_exist_is_refused(tree: xr.DataTree) -> None:
    with pytest.raises(ValueError, match="no metric 'speed'; there is"):
        frame(tree, "speed")
    with pytest.raises(ValueError, match="'colour' is no level of latency_ms; there is case, flow"):
        frame(tree, "latency_ms", ["colour"])


def test_a_figure_is_shown_with_the_bytes_that_are_saved_and_its_words_beside(tmp_path: Path) -> None:
    study = Study("params/two-tcp.yaml", "process", str(tmp_path))
    figure, ax = plt.subplots()
    ax.plot([1, 2], [3, 4])
    shown = study.save(describe(figure, "A line.", "A line rises from 3 to 4."), "all/line")
    assert shown.data == (tmp_path / "all" / "line.png").read_bytes()
    assert shown.alt == "A line rises from 3 to 4."
    words = json.loads((tmp_path / "all" / "provenance.json").read_text())
    assert (words["figures"], words["alt"]) == ({"line": "A line."}, {"line": "A line rises from 3 to 4."})
    assert not plt.fignum_exists(figure.number), "or the cell would show it twice"
    with pytest.raises(ValueError, match="no words yet"):
        study.save(Figure(), "all/none")


def test_a_study_is_found_whatever_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPO.root / "notebooks")
    study = Study("params/tcp-udp.yaml", "process")
    assert (study.chapter.chapter, study.output) == ("tcp-udp", REPO.build / "figures" / "tcp-udp")
