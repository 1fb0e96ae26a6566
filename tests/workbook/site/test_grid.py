"""What is exported gives simcore's worlds, and they run in the module as in machine code."""

from random import Random

import numpy as np
import pytest

from simcore import EVERYTHING, scenario_from
from simcore.compiled import engine
from tests.simcore.webassembly.test_module import assert_same_bytes, native
from tests.simcore.webassembly.wasm import outcome
from tests.workbook.site.pages import baseline, small_family
from workbook.explore import setting as st
from workbook.explore.setting import SLIDERS
from workbook.site.controls import VALUES, controls_of, setting_at
from workbook.site.explorer import positions
from workbook.site.grid import Family, GridError

RUNS = 200


@pytest.mark.parametrize("flows", [1, 2, 4])
def test_the_tables_give_the_worlds_that_simcore_builds(flows: int) -> None:
    assert small_family(flows).check(60, Random(flows)) == 60


def test_a_wrong_table_is_found() -> None:
    family = small_family()
    broken = Family(family.base, list(family.controls.values()), family.start)
    table = next(table for table in broken.tables if table.axes == ("queue", "buffer_packets"))
    table.values[:, :] = table.values[:, :1]
    with pytest.raises(GridError, match="not as simcore has it"):
        broken.check(20, Random(1))


def test_what_depends_on_more_than_a_sweep_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of two controls, whose combinations nobody builds, is no table's."""
    family = small_family()
    broken = Family(family.base, list(family.controls.values()), family.start)
    monkeypatch.setattr("workbook.site.grid.RED", ("queues.nothing",))
    with pytest.raises(GridError, match=r"queues\.weight"):
        broken.check(40, Random(1))


def test_random_settings_of_the_real_page_give_the_native_engines_bytes() -> None:
    """One to four flows of any kind, all positions of all controls."""
    random, lengths = Random(19), set()
    for run in range(RUNS):
        base = st.with_kinds(baseline(), ["reno"] * (1, 2, 4)[run % 3])
        controls = controls_of(base, {"end_s": [2.5]} | {"rate_mbps": [0.5, 1.0, 2.0]})
        at = {control.name: random.randrange(len(control.values)) for control in controls}
        scenario = scenario_from(setting_at(base, controls, at))
        ours = outcome(scenario)
        assert_same_bytes(native(scenario), ours)
        lengths.add(len(ours.log.event_s))
        if run % 50 == 0:  # machine code for the types of this network alone
            assert_same_bytes(engine.run(scenario, EVERYTHING, None), ours)
    assert len(lengths) > RUNS / 2


def test_every_position_lies_on_the_explorers_slider() -> None:
    for name, values in VALUES.items():
        slider = SLIDERS[name]
        assert np.all(np.diff(values) > 0)
        assert slider.low <= values[0]
        assert values[-1] <= slider.high + slider.step  # a case of a chapter ends half a second beyond it


def test_a_setting_between_the_positions_has_none() -> None:
    family = small_family()
    controls = list(family.controls.values())
    assert positions(family.base, controls) == family.start
    between = {**family.base, "bottleneck": {**family.base["bottleneck"], "rate_mbps": 1.5}}
    assert positions(between, controls) is None
