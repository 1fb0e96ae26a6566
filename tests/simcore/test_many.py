"""Several runs as a tree, what a Ctrl-C leaves of them, the bar, and README's lines of Python."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
import xarray as xr
import yaml

from simcore import RunsInterrupted, Scenario, ScenarioError, metrics, simulate, simulate_many
from simcore import progress as bars
from simcore.compiled import engine as loop
from simcore.results.tree import dataset_of
from tests.simcore.scenes import mapping, scene, tcp_flow

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


@pytest.fixture
def two() -> dict[str, Scenario]:
    return {name: scene(tcp_flow(), tcp_flow(), end_s=end_s) for name, end_s in (("short", 0.5), ("long", 2.0))}


def test_each_run_is_a_node_that_metrics_take(two: dict[str, Scenario]) -> None:
    runs = simulate_many(two)
    assert list(runs.children) == ["short", "long"]
    for name, scenario in two.items():
        alone = simulate(scenario)
        xr.testing.assert_equal(dataset_of(runs.children[name]), alone)
        assert metrics.total_throughput_kbps(runs.children[name]) == metrics.total_throughput_kbps(alone)


def test_what_cannot_run_is_refused_before_the_first(two: dict[str, Scenario]) -> None:
    told: list[float] = []
    with pytest.raises(ScenarioError, match=r"^flows\.0\.variant: 'vegas' is not possible with the kernel; allowed"):
        simulate_many(two | {"vegas": scene(tcp_flow(variant="vegas"))}, "kernel", progress=told.append)
    assert told == []


@pytest.mark.parametrize(("engine", "kept"), [("process", ["short"]), ("compiled", ["short", "long"])])
def test_a_ctrl_c_keeps_what_there_is(
    engine: str, kept: list[str], two: dict[str, Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "EVENTS_A_CALL", 100)

    def stop_in_the_second(now: float) -> None:
        if now > two["short"].end_s:
            raise KeyboardInterrupt

    with pytest.raises(RunsInterrupted) as stopped:
        simulate_many(two, engine, progress=stop_in_the_second)
    runs = stopped.value.runs
    assert list(runs.children) == kept
    assert runs["short"].attrs["simulated_until_s"] == 0.5
    assert all(run.attrs["simulated_until_s"] < 2 for run in runs.children.values())


def test_the_bar_comes_when_it_takes_long(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    simulate(scene(end_s=1), progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(bars, "DELAY_S", 0.0)
    simulate(scene(end_s=1, name="mine"), progress=True)
    assert "mine" in capsys.readouterr().err


def test_readmes_lines_plot_a_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(yaml.safe_dump(mapping(end_s=1)))
    [lines] = re.findall(r"^In Python,[^\n]*\n\n```python\n(.*?)^```$", README, re.M | re.S)
    assert len([line for line in lines.splitlines() if line]) == 5
    with plt.rc_context():
        names: dict[str, object] = {}
        exec(lines, names)
        figure = plt.gcf()
        assert [ax.get_lines()[0].get_label() for ax in figure.axes] == ["cwnd"]
        plt.close(figure)
