"""Who wins over the delays: the sweeps' results, as they are kept in figures/sweeps/, and what follows from them.

A sweep of thousands of runs takes minutes, so that its result is committed. To make one again:

    workbook sweep params/sweeps/background-map.yaml
    python -m workbook.chapters.background_traffic.keep build/sweeps/background-map.zarr
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from simcore.metrics import Replications
from simcore.metrics.series import Array
from workbook.chapters.statistics import Statistics
from workbook.paths import REPO

SWEEPS = ("line", "map", "equal", "phases", "noise", "jittered", "jitter", "unequal")
KEPT = REPO.sweeps


def kept(sweep: xr.Dataset) -> Statistics:
    """What is kept of a sweep: its parameters, versions, coordinates, and two whole numbers a run.

    They are the segments that Reno and Tahoe got through, each counted once however often it was sent.
    """
    segments = (sweep["sent"] - sweep["retransmitted"]).transpose(..., "flow")
    dims = [str(dim) for dim in segments.dims[:-1]]
    return {
        "params": sweep.attrs["params"],
        "engine": sweep.attrs["engine"],
        "versions": json.loads(sweep.attrs["versions"]),
        "coords": {dim: sweep[dim].values.tolist() for dim in dims},
        "segments": {name: segments.values[..., i].ravel().tolist() for i, name in enumerate(("reno", "tahoe"))},
    }


def load(name: str, folder: Path = KEPT) -> xr.Dataset:
    """A kept sweep: `reno` and `tahoe`, the segments of each run, and `share`, Reno's part of both in percent."""
    content = json.loads((folder / f"background-{name}.json").read_text("utf-8"))
    dims, shape = tuple(content["coords"]), [len(values) for values in content["coords"].values()]
    segments = {name: (dims, np.reshape(values, shape)) for name, values in content["segments"].items()}
    ds = xr.Dataset(segments, content["coords"], {"params": content["params"]})
    return ds.assign(share=100 * ds["reno"] / (ds["reno"] + ds["tahoe"]))


def over_replications(ds: xr.Dataset) -> tuple[Array, Array]:
    """Along the one other dimension the mean of Reno's share over the runs, and half of Student's interval."""
    share = ds["share"].squeeze().transpose(..., "replication")
    rows = [Replications(row.tolist(), range(1, row.size + 1)) for row in share.values]
    return np.array([row.mean for row in rows]), np.array([row.student().half_width for row in rows])


def phase_numbers(sweeps: Mapping[str, xr.Dataset]) -> Statistics:
    """The named numbers of the phase effect, sweep by sweep."""
    numbers: Statistics = {name: _common(ds) for name, ds in sweeps.items()}
    numbers["runs"] = sum(ds["share"].size for ds in sweeps.values())
    numbers["line"] |= line_numbers(sweeps["line"])
    numbers["map"] |= _map(sweeps["map"])
    for name in ("equal", "phases", "noise", "jittered"):
        numbers[name] |= _along_delay(sweeps[name])
    numbers["jitter"] |= jitter_numbers(sweeps["jitter"])
    return numbers


def _common(ds: xr.Dataset) -> Statistics:
    share, ratio = ds["share"].values, (ds["reno"] / ds["tahoe"]).values
    return {
        "runs": int(share.size),
        "reno_ahead_percent": 100 * float((share > 50).mean()),
        "as_in_the_paper_percent": 100 * float((ratio >= AS_PRINTED).mean()),
        "share_percent": {"min": float(share.min()), "mean": float(share.mean()), "max": float(share.max())},
        "ratio": {"min": float(ratio.min()), "median": float(np.median(ratio)), "max": float(ratio.max())},
    }


AS_PRINTED = 1.7  # Reno over Tahoe; the paper's averages give 1.9, the ends of its intervals 1.8 to 2.0

EQUAL_MS, FITTED_MS = 1, 3  # Tahoe's access link: as Reno's, and in the base of params/background-traffic.yaml
PACKET_MS = 0.4416  # 552 bytes at 10 Mb/s
PERIOD_MS = PACKET_MS / 2  # of the pattern: a longer access link is passed twice in a round trip
PHASES = 11  # into which a period is divided: as many cells as there are runs for, with some 50 in each


def line_numbers(ds: xr.Dataset) -> Statistics:
    """How the winner changes along one delay: how often, with which period, and by how much in one step."""
    mean, _ = over_replications(ds)
    ahead, delays = mean > 50, ds["tahoe_ms"].values
    changes = np.flatnonzero(ahead[1:] != ahead[:-1])
    return {
        "leader_changes": changes.size,
        "period_ms": 2 * float(delays[changes[-1]] - delays[changes[0]]) / (changes.size - 1),
        "largest_step_percent": float(np.abs(np.diff(mean)).max()),
        "share_at_fitted_percent": float(mean[_nearest(delays, FITTED_MS)]),
    }


def jitter_numbers(ds: xr.Dataset) -> Statistics:
    """Reno's share with each send jitter, named by packet times: what is left of the phase?"""
    return {_spoken(float(jitter)): _with_jitter(ds.sel(send_jitter_ms=jitter)) for jitter in ds["send_jitter_ms"]}


def _spoken(jitter_ms: float) -> str:
    times = jitter_ms / PACKET_MS
    if times == 0:
        return "none"
    return f"packet_times_{times:.0f}" if times >= 1 else f"packet_time_part_{1 / times:.0f}"


def _with_jitter(ds: xr.Dataset) -> Statistics:
    mean, half_width = over_replications(ds)
    places = {"equal": _nearest(ds["tahoe_ms"].values, EQUAL_MS), "fitted": _nearest(ds["tahoe_ms"].values, FITTED_MS)}
    return {
        "reno_ahead_percent": 100 * float((ds["share"] > 50).mean()),
        "mean_share_percent": {"min": float(mean.min()), "mean": float(mean.mean()), "max": float(mean.max())},
        **{
            f"share_at_{name}_percent": {"mean": float(mean[place]), "half_width": float(half_width[place])}
            for name, place in places.items()
        },
    }


def _nearest(delays: Array, delay_ms: float) -> int:
    return int(np.abs(delays - delay_ms).argmin())


def _map(ds: xr.Dataset) -> Statistics:
    """How often two neighbors on the map, 0.05 ms apart, have different winners."""
    ahead = ds["share"].transpose("reno_ms", "tahoe_ms").values > 50
    pairs = np.concatenate([(ahead[1:] != ahead[:-1]).ravel(), (ahead[:, 1:] != ahead[:, :-1]).ravel()])
    cells = folded(ds)
    within = float((cells["variance"] * cells["runs"]).sum() / cells["runs"].sum())
    return {
        "neighbors_differ_percent": 100 * float(pairs.mean()),
        "explained_by_phases_percent": 100 * (1 - within / float(ds["share"].var())),
    }


def folded(ds: xr.Dataset) -> pd.DataFrame:
    """Reno's share by the phases of both delays, the remainders by `PERIOD_MS`: a row a cell of `PHASES` by `PHASES`.

    The sweep's steps of 0.05 ms are too coarse for the period of 0.22 ms, but 53 of them are 12.0 periods: each
    period is met at other places, and all together resolve it to 4 microseconds (equivalent-time sampling).
    Columns: `reno` and `tahoe`, the cells' numbers from 0; `mean` and `variance` of the share; `runs`.
    """
    table = ds["share"].to_dataframe().reset_index()
    for flow in ("reno", "tahoe"):
        table[flow] = (table[f"{flow}_ms"] % PERIOD_MS / PERIOD_MS * PHASES).astype(int)
    cells = table.groupby(["reno", "tahoe"])["share"]
    return pd.DataFrame({"mean": cells.mean(), "variance": cells.var(ddof=0), "runs": cells.size()}).reset_index()


def _along_delay(ds: xr.Dataset) -> Statistics:
    mean, half_width = over_replications(ds)
    delays = ds["both_ms"].values
    surely_ahead, surely_behind = mean - half_width > 50, mean + half_width < 50
    short = delays <= SHORT_MS
    return {
        "short_reno_ahead_percent": 100 * float((ds["share"].transpose("both_ms", ...).values[short] > 50).mean()),
        "short_ratio_max": float((ds["reno"] / ds["tahoe"]).transpose("both_ms", ...).values[short].max()),
        "mean_share_percent": {
            "min": float(mean.min()),
            "max": float(mean.max()),
            "shortest": float(mean[0]),
            "longest": float(mean[-1]),
        },
        "tahoe_surely_ahead_up_to_ms": float(delays[surely_behind].max()) if surely_behind.any() else None,
        "reno_surely_ahead_from_ms": float(delays[surely_ahead].min()) if surely_ahead.any() else None,
    }


SHORT_MS = 7  # of access delay, 12 ms one way: beyond it the losses of UDP are no longer what the paper prints
