"""The runs that the chapter's figures are drawn from: seconds with every packet, or an hour of the window alone."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import xarray as xr

from simcore import Scenario, simulate
from simcore.results.log import EVERYTHING, WINDOWS, Recording
from simcore.results.tree import tree_of
from workbook.chapters.large_fat import recoveries
from workbook.chapters.large_fat.lab import Lab
from workbook.chapters.runs import kept

FIRST_SECONDS: Final = {"end_s": 2.5}  # of a minute in which every packet would be kept


class Shown(NamedTuple):
    """A case of the parameters, what is changed in it, and how much of its run is kept."""

    case: str
    recording: Recording
    changes: Mapping[str, object] = {}

    def scenario(self, lab: Lab) -> Scenario:
        """The scenario that is run."""
        return lab.scenario(self.case, self.changes)


def shown(lab: Lab) -> dict[str, Shown]:
    """By their names in the tree."""
    given = lab.settings.recoveries[recoveries.DRAWN]
    return {
        "probe": Shown("probe", EVERYTHING),
        "self-clocking": Shown("self-clocking", EVERYTHING),
        "receiver": Shown("receiver", EVERYTHING, FIRST_SECONDS),
        "local-congestion": Shown("local-congestion", EVERYTHING, FIRST_SECONDS),
        **{case: Shown(case, WINDOWS) for case in ("phases", "three-minutes", "an-hour", "near-gige", "single")},
        **{
            f"recovery-{growth}": Shown("one-loss", WINDOWS, recoveries.changes(lab, given, growth))
            for growth in recoveries.GROWTHS
        },
    }


def runs_of(lab: Lab) -> xr.DataTree:
    """A node for each, simulated, or opened if nothing changed since (`workbook.chapters.runs.kept`)."""
    wanted = shown(lab)
    identity = [f"{name}: {one.recording}\n{one.scenario(lab).to_yaml()}" for name, one in wanted.items()]

    def simulated() -> xr.DataTree:
        runs = {name: simulate(one.scenario(lab), lab.engine, one.recording) for name, one in wanted.items()}
        return xr.DataTree.from_dict({name: tree_of(run) for name, run in runs.items()})

    return kept(f"{lab.chapter.chapter}-{lab.engine}", identity, simulated)
