"""The chapter on background traffic: its settings, numbers, player and the kept sweeps of the phase effect."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
import yaml
from pydantic import ValidationError

from simcore import Scenario, simulate, simulate_totals
from workbook.chapters.background_traffic import clock, phase
from workbook.chapters.background_traffic.averages import paired, student
from workbook.chapters.background_traffic.clock import arrivals
from workbook.chapters.background_traffic.keep import keep
from workbook.chapters.background_traffic.numbers import bin_numbers, replicated_numbers
from workbook.chapters.background_traffic.player import player_page
from workbook.chapters.background_traffic.rules import rule_numbers
from workbook.chapters.background_traffic.runs import replicated
from workbook.chapters.background_traffic.scenes import drops_of, position, waiting_at
from workbook.chapters.background_traffic.settings import settings_of
from workbook.chapters.chapter import Chapter
from workbook.export.player import Scene, journeys, picture_of
from workbook.ledger.book import printed
from workbook.paths import REPO
from workbook.sweep import Design, Sweep

CHAPTER = Chapter.load(REPO.params / "background-traffic.yaml")
SETTINGS = settings_of(CHAPTER)
SCENE = Scene(title="Slow start", from_s=5.0, to_s=5.1)


@pytest.fixture(scope="module")
def short() -> tuple[Scenario, xr.Dataset]:
    """The fitted case, ended while Reno is alone."""
    scenario = CHAPTER.scenario("fitted", end_s=21)
    return scenario, simulate(scenario, "compiled")


@pytest.fixture(scope="module")
def ten() -> xr.Dataset:
    return replicated(CHAPTER.scenario("fitted"), SETTINGS.seeds["ten"], "compiled")


def test_the_ten_runs_have_the_means_and_spreads_that_ns2_gave(ten: xr.Dataset) -> None:
    numbers = replicated_numbers(ten)
    reno, tahoe = numbers["flow1"]["mbps"], numbers["flow2"]["mbps"]
    assert (round(reno["mean"], 5), round(reno["sd"], 5)) == (4.07038, 0.12504)
    assert (round(tahoe["sd"], 5), tahoe["n"], tahoe["seeds"]) == (0.07787, 10, list(range(1, 11)))
    assert [round(reno["normal"][end], 3) for end in ("low", "high")] == [3.993, 4.148]
    assert [round(reno["student"][end], 3) for end in ("low", "high")] == [3.981, 4.160]
    assert sum(numbers[f"flow{flow}"]["share_percent"] for flow in range(1, 5)) == pytest.approx(100)
    assert numbers["total"]["reno_ahead_runs"] == 10


def test_without_vbr_all_runs_are_identical_and_no_interval_is_claimed() -> None:
    numbers = replicated_numbers(replicated(CHAPTER.scenario("no-background", end_s=20), [1, 2, 3], "compiled"))
    mbps = numbers["flow1"]["mbps"]
    assert mbps["identical"]
    assert "nothing was random" in mbps["warning"]
    assert not {"student", "normal"} & set(mbps)


def test_a_replication_is_the_run_with_its_seed(ten: xr.Dataset) -> None:
    alone = replicated(CHAPTER.scenario("fitted"), [7], "compiled")
    assert alone["mbps"].values[0].tolist() == ten["mbps"].sel(seed=7).values.tolist()
    assert ten["mbps"].attrs["units"] == "Mb/s"


def test_the_extremes_in_bins_leave_out_the_bins_that_are_only_partly_a_flows_own(
    short: tuple[Scenario, xr.Dataset],
) -> None:
    found = bin_numbers([short[1]], [0.05])["bin_50ms"]
    assert found["flow1"]["alone_max_kbps"]["mean"] == pytest.approx(10068, abs=1)
    assert found["flow3"]["min_kbps"]["mean"] > 0, "though CBR sends nothing before 15 s"
    assert "alone_max_kbps" not in found["flow2"]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"bin": 1}, "bin"),
        ({"bin_s": 0}, "bin_s"),
        ({"seeds": {}}, "seeds"),
        ({"player": {"case": "x", "scenes": []}}, "scenes"),
    ],
)
def test_settings_that_are_wrong_are_refused(changed: dict[str, object], problem: str) -> None:
    chapter = CHAPTER.model_copy(update={"settings": CHAPTER.settings | changed})
    with pytest.raises(ValidationError, match=problem):
        settings_of(chapter)


def test_a_scene_holds_what_is_under_way_and_what_is_refused(short: tuple[Scenario, xr.Dataset]) -> None:
    found = journeys(short[1], SCENE)
    drops = drops_of(found, SCENE)
    assert drops[0] == pytest.approx(5.067369, abs=1e-6), "ns-2's first drop"
    assert waiting_at(found, drops[0] - 1e-7).tolist() == [1] * 9, "nine waited, all Reno's: the buffer was full"
    rows = picture_of(found, SCENE)
    assert sum(access >= 0 and wait == -1 and not ack for _, ack, _, access, wait, _, _ in rows) == drops.size
    assert [row[2] for row in rows] == sorted(row[2] for row in rows)


def test_a_packet_is_where_its_times_say() -> None:
    times, ends = [0.0, 1.0, 3.0, 5.0, 6.0], ((0.0, 0.0), (10.0, 0.0))
    xs = [
        point and point[0] for point in (position(times, False, when, ends) for when in (0.0, 0.5, 2.0, 4.0, 5.5, 6.0))
    ]
    assert xs == [0.0, pytest.approx(1.7), None, pytest.approx(5.0), pytest.approx(8.3), None]
    back = position(times, True, 0.5, ends)
    assert back is not None
    assert back[0] == pytest.approx(8.3), "an ACK starts at the receiver"


def test_the_player_needs_nothing_from_outside_and_is_the_same_each_time(short: tuple[Scenario, xr.Dataset]) -> None:
    scenario, run = short
    page = player_page(run, scenario, SETTINGS.nodes, SETTINGS.player.scenes, "A title with </script> in it")
    assert page == player_page(run, scenario, SETTINGS.nodes, SETTINGS.player.scenes, "A title with </script> in it")
    assert re.findall(r"https?://|\bsrc=|\bimport\b|@import|fetch\(", page) == []
    assert page.count("</script>") == 1, "no text of ours ends the script"
    assert len(page) < 1_000_000
    content = json.loads(re.search(r"const content = (.*);\n", page)[1])  # type: ignore[index]
    assert [len(scene["rows"]) > 100 for scene in content["scenes"]] == [True, True]


@pytest.mark.parametrize("name", phase.SWEEPS)
def test_a_kept_sweep_is_that_of_the_committed_parameters_and_its_cells_come_out_again(name: str) -> None:
    path = REPO.params / "sweeps" / f"background-{name}.yaml"
    ds = phase.load(name)
    assert ds.attrs["params"] == path.read_text()
    design = Design(Sweep.load(path))
    assert ds["share"].shape == design.shape
    for number in (0, design.cells // 3, design.cells - 1):
        cell = tuple(int(i) for i in np.unravel_index(number, design.shape))
        totals = simulate_totals(design.scenario(cell), "compiled")
        through = (totals["sent"] - totals["retransmitted"]).tolist()[:2]
        assert [int(ds[who].values[cell]) for who in ("reno", "tahoe")] == through, cell


def test_the_sweeps_vary_the_very_scenario_of_the_chapter() -> None:
    fitted = CHAPTER.scenario("fitted")
    for name in phase.SWEEPS:
        base = Scenario.model_validate(Sweep.load(REPO.params / "sweeps" / f"background-{name}.yaml").base)
        assert base.flows[:4] == fitted.flows
        assert (base.bottleneck, base.end_s) == (fitted.bottleneck, fitted.end_s)


def test_who_wins_changes_with_half_the_time_of_a_packet() -> None:
    """The link that is made longer is passed twice in a round trip, and a packet takes 0.4416 ms at 10 Mb/s."""
    numbers = phase.phase_numbers({name: phase.load(name) for name in phase.SWEEPS})
    assert numbers["line"]["period_ms"] == pytest.approx(552 * 8 / 10e6 * 1e3 / 2, rel=0.02)
    assert numbers["line"]["leader_changes"] >= 16
    assert numbers["map"]["neighbors_differ_percent"] > 10
    assert numbers["equal"]["short_ratio_max"] < phase.AS_PRINTED


def test_the_papers_numbers_stand_in_its_claims_as_printed() -> None:
    says = printed(REPO.claims / "background-traffic.yaml")
    assert (says["fitted.factor"], says["fitted.reno-variance"], says["streams.cbr-max"]) == ("1.96", "2.00", "250")
    assert not any(key.startswith("background-traffic") for key in says)


def test_waits_of_a_packets_time_take_the_lead_from_reno_wherever_it_had_it() -> None:
    numbers = phase.jitter_numbers(phase.load("jitter"))
    assert list(numbers)[0::5] == ["none", "packet_times_1"]
    assert pytest.approx(552 * 8 / 10e6 * 1e3) == phase.PACKET_MS
    none, one = numbers["none"], numbers["packet_times_1"]
    assert none["share_at_fitted_percent"]["mean"] > 60 > 50 > one["share_at_fitted_percent"]["mean"]
    assert none["mean_share_percent"]["max"] > 60
    assert one["mean_share_percent"]["max"] < 50


def test_a_pattern_of_winners_is_measured() -> None:
    """Along five delays, 0.1 ms apart, Reno leads, Tahoe, Tahoe, Reno, Reno."""
    reno, delays = [[60, 62], [40, 42], [40, 42], [60, 62], [60, 62]], [2.8, 2.9, 3.0, 3.1, 3.2]
    ds = xr.Dataset({"reno": (("tahoe_ms", "replication"), reno)}, {"tahoe_ms": delays, "replication": [1, 2]})
    ds = ds.assign(tahoe=100 - ds["reno"], share=ds["reno"].astype(float))
    found = phase.line_numbers(ds)
    assert (found["leader_changes"], found["share_at_fitted_percent"]) == (2, 41)
    assert found["period_ms"] == pytest.approx(0.4), "two changes, 0.2 ms apart, are half a period"
    assert found["largest_step_percent"] == pytest.approx(20)


def small_sweep(tmp_path: Path, simulated: bool) -> Path:
    """A store as a sweep leaves it, of two flows and two replications."""
    dims = ("tahoe_ms", "replication", "flow")
    numbers = np.arange(8, dtype=np.int64).reshape(2, 2, 2)
    ds = xr.Dataset(
        {
            "sent": (dims, numbers + 100),
            "retransmitted": (dims, numbers * 0 + 10),
            "simulated": (dims[:2], np.full((2, 2), simulated)),
        },
        {"tahoe_ms": [1.0, 2.0], "replication": [1, 2], "flow": [1, 2]},
        {"params": yaml.safe_dump({"name": "small"}), "engine": "compiled", "versions": "{}"},
    )
    path = tmp_path / "background-small.zarr"
    ds.to_zarr(path, zarr_format=2)
    return path


def test_what_is_kept_of_a_sweep_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbook.chapters.background_traffic.keep.KEPT", tmp_path / "kept")
    keep([str(small_sweep(tmp_path, True))])
    ds = phase.load("small", tmp_path / "kept")
    assert ds["reno"].values.tolist() == [[90, 92], [94, 96]]
    assert ds["tahoe"].sel(tahoe_ms=2.0, replication=1) == 95
    assert ds["share"].values[0, 0] == pytest.approx(100 * 90 / 181)


def test_an_unfinished_sweep_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not all cells are simulated yet"):
        keep([str(small_sweep(tmp_path, False))])


def test_students_interval_is_that_of_the_replications_and_identical_values_have_no_width(ten: xr.Dataset) -> None:
    reno = ten["mbps"].sel(flow=1).values
    ours = replicated_numbers(ten)["flow1"]["mbps"]["student"]
    assert student(reno) == pytest.approx((ours["low"], ours["high"]))
    assert student([2.0, 2.0, 2.0]) == (2.0, 2.0)


def test_who_wins_is_asked_of_pairs_of_runs() -> None:
    reno, tahoe = np.arange(10.0) + 20, np.arange(10.0) + 10
    found = paired(reno, tahoe)
    assert found["n"] == 10
    assert found["p"] == pytest.approx(2 / 2**10), "all ten differences have one sign"
    assert found["ratio"] == pytest.approx(24.5 / 14.5)
    assert found["low"] < found["ratio"] < found["high"]
    assert found == paired(reno, tahoe), "the bootstrap's seed is fixed"


def test_an_arrival_knows_the_buffer_and_the_last_departure(short: tuple[Scenario, xr.Dataset]) -> None:
    table = arrivals(short[1])
    first = table[table["dropped"]].iloc[0]
    assert first["time_s"] == pytest.approx(5.067369, abs=1e-6), "ns-2's first drop"
    assert first["stream"] == "TCP Reno"
    assert clock.FULL <= first["waiting"] <= 9, "what leaves at the very instant of an arrival counts as gone"
    assert table["waiting"].max() == 9
    assert not table.loc[table["waiting"] < clock.FULL, "dropped"].any()
    busy = table[table["waiting"] > 0]
    assert 0 <= busy["after_ms"].min() <= busy["after_ms"].max() <= phase.PACKET_MS + 1e-6


def test_the_rules_are_read_off_the_windows_and_acks_of_one_flow() -> None:
    """Slow start from 4 to 5, avoidance by 1/5, a third duplicate that halves 5.2, and the end of the recovery."""
    names = "slow_start congestion_avoidance fast_retransmit recovery_end"
    updates = {"s": [0, 1, 2, 5, 6], "cwnd": [4, 5, 5.2, 2.6, 2.6], "inflation": [0, 0, 0, 3, 0]}
    run = xr.Dataset({f"update_{name}": ("update", np.array(values, float)) for name, values in updates.items()})
    run["update_flow"] = ("update", [1, 1, 1, 1, 1])
    run["update_cause"] = ("update", [0, 0, 1, 2, 3], {"flag_meanings": names})
    for name, values in {"flow": [1, 1, 1, 1, 1, 2], "number": [7, 8, 8, 8, 8, 8]}.items():
        run[f"ack_{name}"] = ("ack", values)
    run["ack_arrived_s"] = ("ack", [1, 2, 3, 4, 5, 3.5])
    found = rule_numbers(run, 1)
    assert found["slow_start"]["growth"] == {"min": 0, "max": 1}, "the first row has no row before it"
    assert found["avoidance"]["growth_per_window"]["max"] == pytest.approx(1)
    assert found["fast_retransmit"] == {
        "after_duplicates": {"min": 3, "max": 3},
        "left_of_window": {"min": 0.5, "max": 0.5},
        "window_left": {"min": 2.6, "max": 2.6},
        "inflated_by": {"min": 3, "max": 3},
    }
    assert found["recovery_end"]["inflated_by"] == {"min": 0, "max": 0}


def test_runs_laid_upon_each_other_resolve_a_period_that_their_steps_do_not() -> None:
    delays = np.linspace(0, 4, 81)
    later = (delays[None, :] % phase.PERIOD_MS) > (delays[:, None] % phase.PERIOD_MS) + 0.5 * phase.PERIOD_MS
    share = (("reno_ms", "tahoe_ms"), np.where(later, 70.0, 30.0))
    sweep = xr.Dataset({"share": share}, {"reno_ms": delays, "tahoe_ms": delays})
    cells = phase.folded(sweep)
    assert cells["runs"].sum() == 81**2
    assert len(cells) == phase.PHASES**2
    assert set(cells.query("tahoe > reno + 6")["mean"]) == {70.0}
    assert set(cells.query("tahoe < reno + 4")["mean"]) == {30.0}
