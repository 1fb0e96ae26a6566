"""Keep what the sweep found, and look closer at its first replications: some minutes on all cores.

python -m workbook.chapters.many_flows.keep build/sweeps/many-flows.zarr
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np
import pandas as pd
import xarray as xr
from tqdm import tqdm

from simcore import ENGINES, EVERYTHING, metrics, scenario_from, simulate
from simcore.metrics import theory
from simcore.metrics.series import Array
from simcore.results.log import DEQUEUED, DROPPED, ENQUEUED, FORWARD, Recording
from simcore.scenario.scenario import Scenario
from workbook.chapters.chapter import Chapter
from workbook.chapters.many_flows.kept import sums, write
from workbook.chapters.many_flows.settings import LOOK_BUFFER, LOOKS, Settings, settings_of
from workbook.paths import REPO
from workbook.sweep import cell_scenario
from workbook.sweep.variables import simulated
from workbook.sweep.workers import processes

WARM_S: Final = 30.0  # as in the sweep
QUEUE_UNTIL_S: Final = 60.0  # every packet of a longer run would be gigabytes
STEP_S: Final = 0.1  # a round trip
WINDOWS: Final = Recording(packets=False, window_interval_s=STEP_S / 2)
JITTER_MS: Final = 0.4  # two packet times: enough to break phases (chapter 05), and little beside a round trip
DIGITS: Final = 6
AT_ONCE: Final = 4


def windows_of(run: xr.Dataset, from_s: float) -> Array:
    """The congestion window of each flow, a row each, a round trip after the other."""
    grid = np.arange(from_s, metrics.end_s(run), STEP_S)
    steps = [metrics.window(run, int(flow))["cwnd"] for flow in run["flow"].values]
    return np.array([w.values[np.searchsorted(w["time_s"].values, grid, side="right") - 1] for w in steps])


def correlation(windows: Array) -> float:
    """The mean correlation of two flows' windows: 1 if they move in step, 0 if independent, below 0 if in turn.

    It follows from the variance of the sum, which Appenzeller et al. (2004) take to be that of independent windows:
    var(sum w) = sum var(w) + rho ((sum sd)^2 - sum var(w)).
    """
    variances = windows.var(axis=1)
    return float((windows.sum(axis=0).var() - variances.sum()) / (np.sqrt(variances).sum() ** 2 - variances.sum()))


def jittered(scenario: Scenario) -> Scenario:
    """The same with a random delay before each packet."""
    flows = tuple(flow.model_copy(update={"send_jitter_ms": JITTER_MS}) for flow in scenario.flows)
    return scenario.model_copy(update={"flows": flows})


def mean_queue(scenario: Scenario, from_s: float, until_s: float) -> float:
    """Packets that wait at the bottleneck, by time.

    It is counted from the engine's log: of two hundred flows a Dataset takes ten times as long as the run.
    """
    log = ENGINES["compiled"](scenario.model_copy(update={"end_s": until_s}), EVERYTHING, None).log
    here = np.asarray(log.event_link) == FORWARD
    time_s, kind = np.asarray(log.event_s)[here], np.asarray(log.event_kind)[here]
    waiting = np.cumsum((kind == ENQUEUED).astype(int) - np.isin(kind, (DEQUEUED, DROPPED)))
    later = time_s >= from_s
    return float(np.average(waiting[later][:-1], weights=np.diff(time_s[later])))


def looked_at(mapping: Mapping[str, object]) -> dict[str, float]:
    """What the windows and the queue of one cell tell, and how fair it is with jitter.

    The scenario is given as a file has it, which can be sent to another process.
    """
    scenario = scenario_from(mapping)
    run = simulate(scenario, "compiled", WINDOWS)
    later = run["update_s"].values >= WARM_S
    fair = metrics.jain_index(xr.DataArray(simulated(jittered(scenario), "compiled", WARM_S)["received"]))
    values = {
        "correlation": correlation(windows_of(run, WARM_S)),
        "rto_s": float(run["update_rto_s"].values[later].mean()),
        "jain_jittered": fair,
        "queue_packets": mean_queue(scenario, WARM_S, QUEUE_UNTIL_S),
    }
    return {name: round(value, DIGITS) for name, value in values.items()}


def looks(sweep: xr.Dataset) -> xr.Dataset:
    """What `looked_at` tells, for every number of flows with one buffer, in the first replications."""
    places = list(product(sweep["n"].values.tolist(), LOOKS))
    scenarios = [cell_scenario(sweep, n=n, buffer=LOOK_BUFFER, replication=look).to_mapping() for n, look in places]
    with processes(AT_ONCE) as pool:
        rows = list(tqdm(pool.map(looked_at, scenarios), total=len(places), disable=None))
    return pd.DataFrame(rows, pd.MultiIndex.from_tuples(places, names=["n", "look"])).to_xarray()


def laws(sweep: xr.Dataset, looked: xr.Dataset, settings: Settings) -> xr.DataArray:
    """What two laws say that a flow gets, in packets a round trip: the mean over the flows, each with its own losses.

    The laws are steep where losses are rare: they say more of unequal flows than of as many with the mean loss rate.
    """
    seen = sweep.sel(buffer=LOOK_BUFFER, replication=list(LOOKS)).rename(replication="look")
    rtt_s = settings.rtt_s + looked["queue_packets"] / settings.packets_a_s
    rates = {"losses": seen["dropped"] / seen["sent"],
             "loss events": (seen["fast_retransmits"] + seen["timeouts"]) / seen["sent"]}  # fmt: skip
    rate = xr.concat(list(rates.values()), pd.Index(list(rates), name="p"))
    rto = looked["rto_s"] / rtt_s  # in round trips, as all times here
    with np.errstate(invalid="ignore"):  # of flows that are not there
        by_law = {"Mathis": xr.apply_ufunc(theory.mathis_packets_a_s, rate, 1.0, vectorize=True),
                "PFTK": xr.apply_ufunc(theory.pftk_packets_a_s, rate, 1.0, rto, vectorize=True)}  # fmt: skip
    there = [each.where(rate.notnull()).mean("flow") for each in by_law.values()]
    of_each = xr.concat(there, pd.Index(list(by_law), name="law"))
    packets: xr.DataArray = of_each.transpose("n", "look", "law", "p").round(DIGITS).drop_vars("buffer")
    return packets


def keep(stores: Sequence[str]) -> None:
    """Write figures/sweeps/many-flows.json. Raises ValueError for a sweep that is not finished."""
    [store] = stores
    with xr.open_zarr(store) as opened:
        sweep = opened.load()
    if not bool(sweep["simulated"].all()):
        raise ValueError(f"{store}: not all cells are simulated yet; the sweep's command continues it")
    settings, looked = settings_of(Chapter.load(REPO.params / "many-flows.yaml")), looks(sweep)
    kept = sums(sweep).merge(looked).assign(law_packets=laws(sweep, looked, settings))
    write(kept.drop_attrs(), sweep.attrs["params"])


if __name__ == "__main__":
    keep(sys.argv[1:])
