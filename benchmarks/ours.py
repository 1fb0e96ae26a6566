"""The engines of this project, timed in this process."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import mean
from time import process_time
from typing import Final

from benchmarks.loads import BASELINE, Load
from benchmarks.rounds import Sample
from simcore import ENGINES, EVERYTHING, TOTALS, Recording, Scenario
from simcore.compiled import loop
from simcore.compiled.layout import World, world_of
from simcore.compiled.machine_code import compiled_loop
from simcore.compiled.memory import roomier
from simcore.network.topology import topology_of

LEAST_CPU_S: Final = 0.1  # shorter runs are repeated within a turn
ALL_EVENTS: Final = 1 << 62


@dataclass(frozen=True)
class Compiled:
    """The compiled loop alone: its arrays are built before, as other simulators build their networks before."""

    key: str
    title: str
    recording: Recording
    slow = False
    omits: Mapping[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Load or compile the loop."""
        time_loop(BASELINE.scenario(), self.recording)

    def sample(self, load: Load) -> Sample:
        """Run the load as often as it takes to be timed well."""
        scenario = load.scenario()
        compiled_loop()(world(scenario, self.recording), 1)  # longer windows are types of their own
        runs = [time_loop(scenario, self.recording)]
        while sum(run.cpu_s for run in runs) < LEAST_CPU_S:
            runs.append(time_loop(scenario, self.recording))
        return Sample(runs[0].packets, mean(run.cpu_s for run in runs))


def time_loop(scenario: Scenario, recording: Recording) -> Sample:
    """Run the compiled loop once."""
    run_events, state = compiled_loop(), world(scenario, recording)
    began = process_time()
    while run_events(state, ALL_EVENTS) == loop.CROWDED:
        state = roomier(state)
    cpu_s = process_time() - began
    return Sample(int(state.flows["sent"].sum()), cpu_s)


def world(scenario: Scenario, recording: Recording) -> World:
    """What the loop works on."""
    return world_of(scenario, topology_of(scenario), recording)


@dataclass(frozen=True)
class Process:
    """The process model, with everything recorded."""

    key: str
    title: str
    slow = True
    omits: Mapping[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Nothing to do: it is plain Python."""

    def sample(self, load: Load) -> Sample:
        """Run the load, or its beginning."""
        scenario = load.scenario(slow=True)
        began = process_time()
        outcome = ENGINES["process"](scenario, EVERYTHING, None)
        return Sample(int(outcome.totals["sent"].sum()), process_time() - began)


COMPILED: Final = Compiled("compiled", "compiled engine", TOTALS)
RECORDED: Final = Compiled("recorded", "compiled engine, everything recorded", EVERYTHING)
PROCESS: Final = Process("process", "process model (SimPy)")
