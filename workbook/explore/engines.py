"""The runs of one exploration, by the engine that answers at once.

The compiled engine has to be compiled for each kind of network, which takes seconds; the result is kept on disk.
The process model gives the same Dataset, so it answers until then, unless the run is so long that waiting is quicker.
"""

import threading
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Final

import xarray as xr

from simcore import Scenario, simulate, simulate_totals
from simcore.rules.queues import droptail
from simcore.scenario.flows import TcpFlow

RUNS_KEPT: Final = 4
LONG_RUN_PACKETS: Final = 30_000  # about half a second on the process model


def network_kind(scenario: Scenario) -> Hashable:
    """What the compiled engine may be compiled for: never coarser, so that a network of a known kind is ready."""
    bottleneck = scenario.bottleneck
    windows = [flow.window_packets for flow in scenario.flows if isinstance(flow, TcpFlow)]
    given = scenario.model_dump(exclude_none=True)
    fields = {tuple(part) for part in (given, *given["flows"])}
    names = {flow.variant if isinstance(flow, TcpFlow) else flow.source for flow in scenario.flows}
    room = bottleneck.buffer_packets if isinstance(bottleneck, droptail.Settings) else None
    return (bottleneck.queue, room is None, frozenset(names), max(windows, default=0).bit_length(), frozenset(fields))


def most_packets(scenario: Scenario) -> float:
    """How many packets the bottleneck can carry in a run."""
    smallest = min(flow.packet_bytes for flow in scenario.flows)
    return scenario.bottleneck.rate_mbps * 1e6 / 8 * scenario.end_s / smallest


class Engines:
    """Chooses an engine, and makes the compiled one ready in a thread."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self._ready: set[Hashable] = set()
        self._wanted: dict[Hashable, Scenario] = {}
        self._tell = tell  # called with whether the compiled engine is ready for all that was asked for
        self._lock = threading.Lock()

    @property
    def is_ready(self) -> bool:
        """Is the compiled engine ready for all networks that were asked for?"""
        return not self._wanted

    def choose(self, scenario: Scenario) -> str:
        """The engine that is quicker now."""
        kind = network_kind(scenario)
        if kind in self._ready:
            return "compiled"
        if most_packets(scenario) > LONG_RUN_PACKETS:
            self._prepare(kind, scenario)
            return "compiled"
        if kind not in self._wanted:
            self._wanted[kind] = scenario
            threading.Thread(target=self._prepare, args=(kind, scenario)).start()
        return "process"

    def _prepare(self, kind: Hashable, scenario: Scenario) -> None:
        """Run a moment of such a network, which compiles the engine or loads what is kept of it."""
        self._tell(False)
        moment = scenario.model_copy(update={"end_s": min(flow.start_s for flow in scenario.flows) + 1e-3})
        with self._lock:
            simulate_totals(moment, "compiled")
        self._ready.add(kind)
        self._wanted.pop(kind, None)
        self._tell(self.is_ready)


class Session:
    """Simulates what is asked for, each scenario once as long as it is kept."""

    def __init__(self, tell: Callable[[bool], None]) -> None:
        self.engines = Engines(tell)
        self.run = lru_cache(maxsize=RUNS_KEPT)(self._run)

    def _run(self, scenario: Scenario) -> xr.Dataset:
        return simulate(scenario, self.engines.choose(scenario))
