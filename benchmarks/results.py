"""What was measured, as it is written to benchmarks.json: medians and spreads, ratios, the machine."""

import importlib.metadata
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.loads import Load
from benchmarks.rounds import Simulator, Turns

Json = dict[str, object]

PACKAGES: Final = ("llvmlite", "numpy", "simpy", "xarray")


@dataclass(frozen=True)
class Ratio:
    """One simulator's speed in units of another's, and what it should reach at the least, by load."""

    over: str
    under: str
    goals: Mapping[str, float]


NS2_GOALS: Final = {"2M-60s": 8.0, "2M-600s": 8.0, "1G": 10.0, "100-flows": 20.0}
BOUND_GOALS: Final = dict.fromkeys(NS2_GOALS, 0.25)
RATIOS: Final = (
    Ratio("compiled", "ns2", NS2_GOALS),
    Ratio("compiled", "ns2-whole", NS2_GOALS),
    Ratio("compiled", "ns2-lean", {}),
    Ratio("recorded", "ns2", {}),
    Ratio("recorded", "ns2-traced", dict.fromkeys(NS2_GOALS, 10.0)),
    Ratio("compiled", "bound", BOUND_GOALS),
    Ratio("compiled", "process", {}),
    Ratio("process", "ns2", {}),
    Ratio("process", "nspy", {}),
)


def spread(values: Sequence[float]) -> Json:
    """Median, least and greatest of some measurements."""
    return {"median": median(values), "min": min(values), "max": max(values), "runs": len(values)}


def speeds(simulators: Sequence[Simulator], loads: Sequence[Load], turns: Turns) -> Json:
    """Thousand data packets per CPU second, by simulator and load, or why there is no number."""
    return {
        simulator.key: {
            "title": simulator.title,
            "loads": {load.key: _speed(simulator, load, turns) for load in loads},
        }
        for simulator in simulators
    }


def _speed(simulator: Simulator, load: Load, turns: Turns) -> Json:
    if reason := turns.missing[simulator.key].get(load.key):
        return {"missing": reason}
    samples = turns.samples[simulator.key][load.key]
    return {
        "simulated_s": load.seconds(slow=simulator.slow),
        "packets": samples[0].packets,
        **spread([sample.speed for sample in samples]),
    }


def ratios(loads: Sequence[Load], turns: Turns) -> list[Json]:
    """Every ratio that both sides were measured for, taken round by round."""
    return [
        {
            "over": ratio.over,
            "under": ratio.under,
            "load": load.key,
            "goal": ratio.goals.get(load.key),
            **spread(values),
        }
        for ratio in RATIOS
        for load in loads
        if (values := _by_round(ratio, load, turns))
    ]


def _by_round(ratio: Ratio, load: Load, turns: Turns) -> list[float]:
    over, under = (turns.samples[key][load.key] for key in (ratio.over, ratio.under))
    return [a.speed / b.speed for a, b in zip(over, under, strict=False)]  # slow ones have fewer turns


def machine() -> Json:
    """What it was measured on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{package: importlib.metadata.version(package) for package in PACKAGES},
    }


def _processor() -> str:
    """The processor's name, which only Linux tells in a file."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
