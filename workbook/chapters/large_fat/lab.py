"""Where the chapter's experiments run: cases of its parameters, with changes, on one engine."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import xarray as xr

from simcore import Scenario, scenario_from, simulate, simulate_totals
from simcore.results.log import WINDOWS
from simcore.results.totals import Totals
from simcore.scenario.change import changed
from simcore.scenario.flows import TcpFlow
from workbook.chapters.chapter import Chapter
from workbook.chapters.large_fat.kept_totals import key
from workbook.chapters.large_fat.settings import settings_of
from workbook.chapters.large_fat.wire import ETHERNET_BYTES, IP_UDP_BYTES

HOST_LINKS_MS = 0.02  # one way: from a host to its switch, and from the other switch to the other host


class Counted(NamedTuple):
    """A run of which only the totals are known."""

    scenario: Scenario
    totals: Totals

    @property
    def mbps(self) -> npt.NDArray[np.float64]:
        """What each flow's application got, over the whole run."""
        return payload_mbps(self.scenario, self.totals)

    def total(self, name: str) -> int:
        """One of the totals, summed over the flows."""
        return int(self.totals[name].sum())


def payload_mbps(scenario: Scenario, totals: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """Segments acknowledged (TCP), or datagrams received, without headers and framing, in Mb/s of the run."""
    rates = []
    for i, flow in enumerate(scenario.flows):
        is_tcp = isinstance(flow, TcpFlow)
        packets = int(totals["acknowledged" if is_tcp else "received"][i])
        payload = flow.packet_bytes if is_tcp else flow.packet_bytes - IP_UDP_BYTES - ETHERNET_BYTES
        rates.append(8e-6 * packets * payload / scenario.end_s)
    return np.array(rates)


class Lab:
    """The chapter's cases, to be run with changes."""

    def __init__(self, chapter: Chapter, engine: str, kept: Mapping[str, Totals] = MappingProxyType({})) -> None:
        """`kept` are the totals of runs that need not be made again (`workbook.chapters.large_fat.kept_totals`)."""
        self.chapter, self.engine, self.kept = chapter, engine, kept
        self.settings = settings_of(chapter)
        self.known: dict[str, xr.Dataset] = {}  # runs of which the windows are kept, by case

    def scenario(self, case: str, changes: Mapping[str, object] | None = None) -> Scenario:
        """A case, some of its values changed by their dotted paths."""
        scenario = self.chapter.scenario(case)
        return scenario_from(changed(scenario.to_mapping(), changes)) if changes else scenario

    def counted(self, case: str, changes: Mapping[str, object] | None = None) -> Counted:
        """Run a case for its totals, unless they are kept."""
        scenario = self.scenario(case, changes)
        totals = self.kept.get(key(scenario))
        return Counted(scenario, simulate_totals(scenario, self.engine) if totals is None else totals)

    def run(self, case: str, changes: Mapping[str, object] | None = None) -> xr.Dataset:
        """Run a case and keep every packet."""
        return simulate(self.scenario(case, changes), self.engine)

    def windows(self, case: str) -> xr.Dataset:
        """Run a case, once, and keep the windows."""
        if case not in self.known:
            self.known[case] = simulate(self.scenario(case), self.engine, WINDOWS)
        return self.known[case]


def path(rtt_s: float, slow_mbps: float) -> dict[str, float]:
    """The changes that give a bottleneck its rate, and the path its round-trip time, without transmission times."""
    return {"bottleneck.rate_mbps": slow_mbps, "bottleneck.delay_ms": 1e3 * rtt_s / 2 - HOST_LINKS_MS}
