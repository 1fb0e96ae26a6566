"""What follows from the kept sweep: how things scale, which buffer is needed, and how far laws are off."""

from typing import Any, Final

import numpy as np
import pandas as pd
import xarray as xr
from scipy import stats

from simcore.metrics import theory
from simcore.metrics.series import Array
from workbook.chapters.many_flows.settings import LOOK_BUFFER, Settings

CONFIDENCE: Final = 0.95
MOST: Final = 200  # flows
SHARES: Final = {"pipe": 1, "quarter": 4, "sixteenth": 16}  # of the pipe


def cells(sweep: xr.Dataset, settings: Settings) -> xr.Dataset:
    """Of each cell `utilisation` in %, `jain`, and as parts `loss`, `events` and `by_timer`.

    `loss` is what is dropped of what is sent. A loss event is a cut of a window, however many packets were lost in that
    round trip: `events` is their number by packets sent, `by_timer` the part of them that a timer told of.
    """
    cuts = sweep["fast_retransmits"] + sweep["timeouts"]
    return xr.Dataset(
        {
            "utilisation": 100 * sweep["received"] / (settings.packets_a_s * settings.measured_s),
            "jain": sweep["jain"],
            "loss": sweep["dropped"] / sweep["sent"],
            "events": cuts / sweep["sent"],
            "by_timer": sweep["timeouts"] / cuts.clip(min=1),
        }
    )


def needed(utilisation: xr.DataArray, full_percent: float) -> xr.DataArray:
    """The least buffer from which on the link is full, in packets, between two of the sweep's by their logarithms.

    The smallest buffer of all if that is enough; NaN if none is.
    """
    sizes = np.log(utilisation["buffer"].values)

    def of_one(used: Array) -> float:
        short = np.flatnonzero(used < full_percent)
        if not short.size:
            return float(np.exp(sizes[0]))
        last = int(short[-1])
        if last + 1 == used.size:
            return float("nan")
        part = (full_percent - used[last]) / (used[last + 1] - used[last])
        return float(np.exp(sizes[last] + part * (sizes[last + 1] - sizes[last])))

    least: xr.DataArray = xr.apply_ufunc(of_one, utilisation, input_core_dims=[["buffer"]], vectorize=True)
    return least.assign_attrs(long_name="buffer that keeps the link full", units="packets")


def bootstrapped(values: Array) -> tuple[float, float]:
    """The interval that holds their mean with 95 %, by resampling (percentiles); for ten values and more."""
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    resampled = stats.bootstrap((values,), np.mean, confidence_level=CONFIDENCE, method="percentile", rng=1)
    return float(resampled.confidence_interval.low), float(resampled.confidence_interval.high)


def student(values: Array) -> tuple[float, float]:
    """The same for few values, by Student; seaborn takes it as an `errorbar`."""
    low, high = stats.t.interval(CONFIDENCE, len(values) - 1, np.mean(values), stats.sem(values))
    return float(low), float(high)


def windows(sweep: xr.Dataset, settings: Settings) -> xr.DataArray:
    """What a flow gets in a round trip, in packets, where the queue was looked at, by `n` and `look`."""
    looked = sweep["received"].sel(buffer=LOOK_BUFFER, replication=sweep["look"].values)
    each = looked.rename(replication="look").assign_coords(look=sweep["look"]) / settings.measured_s / sweep["n"]
    packets = each * (settings.rtt_s + sweep["queue_packets"] / settings.packets_a_s)
    return packets.assign_attrs(long_name="window", units="packets")


def off_by(sweep: xr.Dataset, settings: Settings) -> pd.DataFrame:
    """By how much a flow gets more than a law says, in %: a row for each `n`, `look`, `law` and `p`.

    `p`, the law's loss rate, is either the losses or the loss events.
    """
    off = 100 * (windows(sweep, settings) / sweep["law_packets"] - 1)
    return off.to_dataframe("percent").reset_index()


def scaling(sweep: xr.Dataset, settings: Settings) -> dict[str, Any]:
    """What the ledger judges: by number of flows the means over the replications, and exponents of n."""
    measured, off = cells(sweep, settings), off_by(sweep, settings)
    buffers = needed(measured["utilisation"], settings.full_percent)
    numbers: dict[str, Any] = {
        f"n_{n}": _of_number(n, measured.sel(n=n), sweep.sel(n=n), settings) | _needed(buffers.sel(n=n).values)
        | {_key(law, p): float(rows["percent"].mean()) / 100 + 1
           for (law, p), rows in off[off["n"] == n].groupby(["law", "p"])}
        for n in sweep["n"].values.tolist()
    }  # fmt: skip
    numbers["pipe_packets"] = settings.pipe_packets
    return numbers | {"exponents": _exponents(measured["loss"].sel(buffer=LOOK_BUFFER), buffers)}


def _key(law: object, p: object) -> str:
    return f"{law} by {p}".lower().replace(" ", "_")


def _of_number(n: int, measured: xr.Dataset, sweep: xr.Dataset, settings: Settings) -> dict[str, Any]:
    mean, here = measured.mean("replication"), measured.sel(buffer=LOOK_BUFFER).mean("replication")
    sizes = {name: settings.pipe_packets / part for name, part in SHARES.items()}
    sizes["root"] = theory.buffer_packets(settings.pipe_packets, n)
    sizes["root_of_most"] = theory.buffer_packets(settings.pipe_packets, MOST)
    used = {f"at_{name}_percent": float(np.interp(np.log(size), np.log(mean["buffer"]), mean["utilisation"]))
            for name, size in sizes.items()}  # fmt: skip
    return used | {
        "loss_percent": 100 * float(here["loss"]),
        "events_percent": 100 * float(here["events"]),
        "by_timer_percent": 100 * float(here["by_timer"]),
        "jain": float(here["jain"]),
        "jain_jittered": float(sweep["jain_jittered"].mean()),
        "correlation": float(sweep["correlation"].mean()),
        "queue_packets": float(sweep["queue_packets"].mean()),
    }


def _needed(values: Array) -> dict[str, float]:
    low, high = bootstrapped(values)
    return {"needed_packets": float(values.mean()), "needed_low": low, "needed_high": high}


def _exponents(loss: xr.DataArray, buffers: xr.DataArray) -> dict[str, float]:
    """Slopes of lines through the logarithms, one point a replication: of losses where windows are large, and small."""
    few, many = loss.sel(n=slice(5, 20)), loss.sel(n=slice(100, 200))
    numbers = {"loss_few": _line(few), "loss_many": _line(many)}
    fit = _line(buffers)
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, buffers.size - 2) * fit.stderr)
    return {name: float(line.slope) for name, line in numbers.items()} | {
        "needed": float(fit.slope), "needed_low": float(fit.slope - half), "needed_high": float(fit.slope + half),
    }  # fmt: skip


def _line(values: xr.DataArray) -> Any:
    flows, y = xr.broadcast(values["n"], values)
    return stats.linregress(np.log(flows.values.ravel()), np.log(y.values.ravel()))
