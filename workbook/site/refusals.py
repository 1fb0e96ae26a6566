"""What the controls of a page can say and no scenario may: with simcore's own words."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from simcore import ScenarioError, scenario_from
from workbook.explore import setting as st
from workbook.explore.further import SWITCHES
from workbook.explore.futures import with_fate
from workbook.explore.setting import Setting
from workbook.site.controls import Control, Positions
from workbook.site.sweeps import EACH


class Refusal(NamedTuple):
    """Positions that are refused together, for any flow or with any packet of this fate, and why."""

    positions: Positions
    fate: str
    text: str

    def is_met(self, at: Positions, flows: int) -> bool:
        """Are the controls so, whatever becomes of single packets?"""
        of_flows = [{**at, EACH: at.get(f"kind_{k + 1}", -1)} for k in range(flows)]
        return not self.fate and any(self.positions.items() <= own.items() for own in of_flows)


def refusals_of(base: Setting, controls: Mapping[str, Control]) -> Iterator[Refusal]:
    """All of a family."""
    if {"kind_1", "ecn"} <= controls.keys():
        on = list(controls["ecn"].values).index(True)
        for k, kind in enumerate(controls["kind_1"].values):
            if text := _problem(SWITCHES["ecn"].write(st.with_kinds(base, [kind]), True)):
                yield Refusal({EACH: k, "ecn": on}, "", text)
    queues = controls["queue"].values if "queue" in controls else [st.queue_of(base)]
    for k, queue in enumerate(queues):
        setting = base if "queue" not in controls else st.with_queue(base, queue)
        if text := _problem(with_fate(setting, 1, 1, "spared")):
            yield Refusal({"queue": k} if "queue" in controls else {}, "spared", text)


def _problem(setting: Setting) -> str:
    """What simcore says of a setting that is no scenario."""
    try:
        scenario_from(setting)
    except ScenarioError as error:
        return str(error)
    return ""
