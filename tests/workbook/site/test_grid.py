"""What is exported gives simcore's worlds, and they run in the module as in machine code."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from simcore import EVERYTHING, scenario_from
from simcore.compiled import engine
from tests.simcore.webassembly.test_module import assert_same_bytes, native
from tests.simcore.webassembly.wasm import outcome, outcome_in
from tests.workbook.site.pages import baseline, small_family
from workbook.explore import setting as st
from workbook.explore.controls import ALL_SLIDERS, read_of
from workbook.explore.setting import Setting
from workbook.site.controls import VALUES, controls_of
from workbook.site.explorer import positions
from workbook.site.grid import Family, GridError
from workbook.site.rows import Words
from workbook.site.sweeps import EACH, LEAVES, RED, Sweep, sweeps

FEW, MANY = 30, 200  # runs
SEEN = ("profile", "queue", "links", "senders", "receivers", "ecn")  # of these, every value


@pytest.mark.parametrize("flows", [1, 2, 4])
def test_the_tables_give_the_worlds_that_simcore_builds(flows: int) -> None:
    assert small_family(flows).check(60, Random(flows)) == 60


def test_a_wrong_table_is_found() -> None:
    family = small_family()
    broken = Family(family.base, list(family.controls.values()), family.start)
    table = next(table for table in broken.tables if table.names == {"queue", "buffer_packets"})
    table.values[:, :] = table.values[:, :1]
    with pytest.raises(GridError, match="not as simcore has it"):
        broken.check(20, Random(1))


def test_what_depends_on_more_than_a_sweep_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of two controls, whose combinations nobody builds, is no table's."""
    family = small_family()
    broken = Family(family.base, list(family.controls.values()), family.start)
    monkeypatch.setattr("workbook.site.sweeps.RED", ("queues.nothing",))
    with pytest.raises(GridError, match=r"queues\.weight"):
        broken.check(40, Random(1))


@pytest.mark.parametrize("runs", [FEW, pytest.param(MANY, marks=pytest.mark.exhaustive)])
def test_random_settings_of_the_real_page_give_the_native_engines_bytes(runs: int) -> None:
    """One to four flows of any kind, all positions of all controls, in a page's world as in the scenario's own."""
    random, lengths, seen = Random(19), set(), set()
    families = [_real_family(flows) for flows in (1, 2, 4)]
    for run in range(runs):
        family = families[run % 3]
        setting = family.setting(family.anything(random))
        scenario = scenario_from(setting)
        ours = outcome(scenario)
        assert_same_bytes(native(scenario), ours)
        lengths.add(len(ours.log.event_s))
        seen |= {(name, read_of(name, setting)) for name in SEEN}
        if run % 10 == 0:
            assert_same_bytes(native(scenario), outcome_in(family.room, scenario))
        if run % 50 == 0:  # machine code for the types of this network alone
            assert_same_bytes(engine.run(scenario, EVERYTHING, None), ours)
    assert len(lengths) > runs / 2
    assert runs == FEW or seen == {(name, value) for name in SEEN for value in families[0].controls[name].values}


def _real_family(flows: int) -> Family:
    """The page's own, with short runs."""
    base = st.with_kinds(baseline(), ["reno"] * flows)
    controls = controls_of(scenario_from(base).to_mapping(), {"end_s": [2.5]} | {"rate_mbps": [0.5, 1.0, 2.0]})
    return Family(base, controls, {control.name: 0 for control in controls})


@pytest.mark.parametrize("flows", [1, 2, 4])
def test_a_setting_is_read_at_the_positions_where_it_was_written(flows: int) -> None:
    """But for controls that move nothing in it, which stand where they usually do."""
    family, random = small_family(flows), Random(5)
    for _ in range(60):
        at = {**family.anything(random), "kind_1": 0}  # without TCP there is no ECN to read
        setting = family.setting(at)
        found = positions(setting, list(family.controls.values()))
        assert found is not None
        assert family.setting(found) == setting
        idle = {name for name, position in found.items() if position != at[name]}
        assert all(name == "ecn" or read_of(name, setting) is None for name in idle)


def test_ecn_is_refused_with_simcores_words_for_a_sender_that_does_not_know_it() -> None:
    family = small_family(2)
    ecn = {**family.start, "ecn": 1}
    vegas = list(family.controls["kind_2"].values).index("vegas")
    assert not any(refusal.is_met(ecn, 2) for refusal in family.refusals)
    met = [refusal.text for refusal in family.refusals if refusal.is_met({**ecn, "kind_2": vegas}, 2)]
    assert [text.partition(";")[0] for text in met] == ["flows.0.ecn: true is not allowed with vegas"]
    spared = {refusal.positions["queue"] for refusal in family.refusals if refusal.fate == "spared"}
    assert [family.controls["queue"].values[k] for k in spared] == ["red", "drr", "codel", "fq_codel"]


def test_what_differs_in_a_family_of_fewer_flows_is_no_table_of_the_most() -> None:
    """Random numbers are drawn by all who are there; all else is shared."""
    few, most = small_family(2), small_family(4)
    own = [table for table in few.tables if all(table is not other for other in most.tables)]
    assert {frozenset(table.names) for table in own} == {
        frozenset({"queue"}),
        frozenset({"end_s", "gap_s"}),
        frozenset({"kind_1", "kind_2", "profile", "links", "senders", "receivers"}),
    }


def test_every_position_lies_on_the_explorers_slider() -> None:
    for name, values in VALUES.items():
        slider = ALL_SLIDERS[name]
        assert np.all(np.diff(values) > 0)
        assert slider.low <= values[0]
        assert values[-1] <= slider.high + slider.step  # a case of a chapter ends half a second beyond it


def test_a_setting_between_the_positions_has_none() -> None:
    family = small_family()
    controls = list(family.controls.values())
    assert positions(family.base, controls) == family.start
    between = {**family.base, "bottleneck": {**family.base["bottleneck"], "rate_mbps": 1.5}}
    assert positions(between, controls) is None


def test_what_red_alone_asks_for_is_built_for_red_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    family = small_family()
    [red] = [sweep for sweep in sweeps(list(family.controls), family.base) if sweep.about == RED]
    rates, delays = (len(family.controls[name].values) for name in ("rate_mbps", "delay_ms"))
    assert built_in(red, monkeypatch) == rates * delays + 1  # and one world of another queue


def test_a_setting_that_several_combinations_give_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without links of the flows' own their delays are nowhere."""
    family, sweep = small_family(), sweep_of("senders", "access_delay_ms", "access_step_ms")
    delays, steps = (len(family.controls[name].values) for name in ("access_delay_ms", "access_step_ms"))
    assert built_in(sweep, monkeypatch) == delays * steps + 2


def test_kinds_that_are_looked_at_by_themselves_share_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two flows have the two kinds of UDP at once; TCP has no rate, and its four kinds fill two worlds."""
    rates, sizes = (len(small_family().controls[name].values) for name in ("udp_rate_mbps", "packet_bytes"))
    assert built_in(sweep_of(EACH, "udp_rate_mbps", "packet_bytes"), monkeypatch) == rates * sizes + 2 * sizes


def sweep_of(*names: str) -> Sweep:
    """The sweep that turns these controls."""
    known = sweeps(list(small_family().controls), small_family().base)
    [found] = [sweep for sweep in known if [axis.names for axis in sweep.axes] == [(name,) for name in names]]
    return found


def built_in(sweep: Sweep, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many worlds are built for a sweep."""
    built, changed = [], Family._changed

    def counted(self: Family, setting: Setting, names: Sequence[str]) -> Words:
        built.extend([setting] * (list(names) != [LEAVES]))
        return changed(self, setting, names)

    monkeypatch.setattr(Family, "_changed", counted)
    small_family()._swept(sweep)
    return len(built)
