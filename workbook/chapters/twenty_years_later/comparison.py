"""The models' ensembles beside the kernel's: one frame of all, and means with intervals."""

import warnings
from typing import Final

import pandas as pd

from simcore.metrics import Replications
from simcore.metrics.intervals import IdenticalReplicationsWarning

WHOSE: Final = "whose TCP"
MODEL, LINUX, KERNEL = "model", "linux", "kernel"
NEARNESS: Final = {"share_1_percent": "share, points", "dropped_1": "drops, %", "period_1_ms": "period, %"}
PALETTE: Final = {MODEL: "#0b4a8f", LINUX: "#1b7f3b", KERNEL: "#d66b00"}


def beside(**frames: pd.DataFrame) -> pd.DataFrame:
    """All runs, one a row, of `model`, `linux` and `kernel`; the column `whose TCP` says which of them it was."""
    return pd.concat([frame.assign(**{WHOSE: whose}) for whose, frame in frames.items()], ignore_index=True)


def replications(runs: pd.DataFrame, case: str, whose: str, measure: str) -> Replications:
    """A measure of one ensemble; the start offset in ms stands for the seed."""
    chosen = runs[(runs["case"] == case) & (runs[WHOSE] == whose)]
    return Replications(chosen[measure].astype(float).tolist(), chosen["offset_ms"].tolist())


def with_interval(ensemble: Replications) -> str:
    """Mean and half width of the 95 % interval (Student); the mean alone where all runs gave the same."""
    digits = 0 if abs(ensemble.mean) >= 100 else 1
    if ensemble.identical:
        return f"{ensemble.mean:.{digits}f}"
    return f"{ensemble.mean:.{digits}f} ± {ensemble.student().half_width:.{digits}f}"


def told(runs: pd.DataFrame, case: str, whose: str, measure: str) -> str:
    """Mean and interval of one measure of one ensemble, as text."""
    return with_interval(replications(runs, case, whose, measure))


def side_by_side(runs: pd.DataFrame, measures: dict[str, str]) -> pd.DataFrame:
    """Per case and measure the models' means and the kernel's; `measures` gives each column its title."""
    everyone = runs[WHOSE].unique().tolist()
    shared = [case for case in runs["case"].unique() if {*runs[runs["case"] == case][WHOSE]} == {*everyone}]
    table = {
        (title, whose): [told(runs, case, whose, measure) for case in shared]
        for measure, title in measures.items()
        for whose in everyone
    }
    return pd.DataFrame(table, index=pd.Index(shared, name="case"))


def means(runs: pd.DataFrame) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Per case and whose TCP the mean of every measure with its 95 % interval: what becomes statistics.json."""
    measures = [name for name in runs.columns if name.endswith(("_1", "_2", "_percent", "_ms")) and name != "offset_ms"]
    return {
        case: {
            whose: {
                name: _summary(replications(runs, case, whose, name)) for name in _measured(runs, case, whose, measures)
            }
            for whose in runs.loc[runs["case"] == case, WHOSE].unique().tolist()
        }
        for case in runs["case"].unique().tolist()
    }


def _measured(runs: pd.DataFrame, case: str, whose: str, measures: list[str]) -> list[str]:
    """The measures that every run of an ensemble has: one without two losses has no period."""
    chosen = runs.loc[(runs["case"] == case) & (runs[WHOSE] == whose), measures]
    return [name for name in measures if chosen[name].notna().all()]


def nearness(runs: pd.DataFrame) -> pd.DataFrame:
    """How far the model of Linux is from the kernel, case by case: of the first flow's share, drops and sawtooth."""
    linux, kernel = (
        runs[runs[WHOSE] == whose].groupby("case", sort=False)[[*NEARNESS]].mean() for whose in (LINUX, KERNEL)
    )
    apart = 100 * (linux / kernel - 1)
    return apart.assign(share_1_percent=linux["share_1_percent"] - kernel["share_1_percent"]).rename(columns=NEARNESS)


def _summary(ensemble: Replications) -> dict[str, float]:
    with warnings.catch_warnings():  # an interval of no width is told as identical
        warnings.simplefilter("ignore", IdenticalReplicationsWarning)
        interval = ensemble.student()
    return {
        "mean": round(ensemble.mean, 4),
        "low": round(interval.low, 4),
        "high": round(interval.high, 4),
        "n": ensemble.n,
        "identical": ensemble.identical,
    }
