"""The third engine: the Linux kernel's own TCP is asked in the background, as it answers in real time."""

from collections.abc import Callable
from functools import cache
from threading import Event, Thread
from typing import Final

import xarray as xr

from simcore import EngineUnavailableError, Scenario, ScenarioError, SimulationInterrupted, scenario_from, simulate
from workbook.reading.beside import counterpart

Answer = xr.Dataset | str | None  # its run; or in a line why there is none; or None, if somebody stopped it

MOMENT: Final = {
    "profile": "rfc",
    "end_s": 0.01,
    "bottleneck": {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 20},
    "flows": [
        {"kind": "tcp", "variant": "newreno", "packet_bytes": 1000, "window_packets": 20, "start_s": 0, "stop_s": 1}
    ],
}


class AbandonedError(Exception):
    """Nobody wants to know any more."""


class Question:
    """A scenario that the kernel runs from now on.

    `told` is called with the time that has been reached, `answered` once at the end, unless it was abandoned: both in
    another thread.
    """

    def __init__(
        self, scenario: Scenario, told: Callable[[float], None], answered: Callable[["Question", Answer], None]
    ) -> None:
        self._scenario = scenario
        self._told = told
        self._answered = answered
        self._is_abandoned = Event()
        self.thread = Thread(target=self._ask, daemon=True)
        self.thread.start()

    def abandon(self) -> None:
        """Stop the run: its process is gone within a hundredth of its time."""
        self._is_abandoned.set()

    def _ask(self) -> None:
        try:
            answer: Answer = simulate(self._scenario, counterpart(self._scenario), progress=self._reached)
        except AbandonedError:
            return
        except SimulationInterrupted:  # Ctrl-C, which the run's process gets as well
            answer = None
        except (ScenarioError, EngineUnavailableError) as error:
            answer = str(error)
        self._answered(self, answer)

    def _reached(self, now_s: float) -> None:
        if self._is_abandoned.is_set():
            raise AbandonedError
        self._told(now_s)


@cache
def is_available() -> bool:
    """Can this machine's kernel be asked? It is asked for a moment, which takes a second."""
    try:
        simulate(scenario_from(MOMENT), "kernel")
    except EngineUnavailableError:
        return False
    return True


def beside(model: xr.Dataset, kernel: xr.Dataset) -> str:
    """Packets and drops of each flow in both runs, in words."""
    names, columns = (
        model["flow_name"].values.tolist(),
        [run[name].values for run in (kernel, model) for name in ("received", "dropped")],
    )
    flows = (
        f"{name}: {arrived} packets arrived and {dropped} were dropped, in the model {ours} and {our_drops}"
        for name, arrived, dropped, ours, our_drops in zip(names, *columns, strict=True)
    )
    return f"{kernel.attrs['kernel']}, dotted. {'; '.join(flows)}."
