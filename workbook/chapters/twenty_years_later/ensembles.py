"""The chapter's runs: every case once for each start offset of its second flow, as rows of numbers."""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from pydantic import BaseModel, ConfigDict

from simcore import Scenario, metrics, scenario_from, simulate
from simcore.scenario.change import changed
from workbook.chapters.chapter import Chapter
from workbook.paths import REPO

KEPT: Final = REPO.sweeps / "kernel-ensembles.json"


class Settings(BaseModel):
    """The key `settings` of params/twenty-years-later.yaml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    offsets_ms: tuple[int, ...]
    as_delivered: tuple[str, ...]
    of_linux: dict[str, dict[str, Any]]


class Member(NamedTuple):
    """One run of an ensemble."""

    case: str
    offset_ms: int
    scenario: Scenario
    engine: str  # of the kernel's: nearest the textbook, or as delivered


def members(chapter: Chapter) -> Iterator[Member]:
    """All runs on the kernel."""
    settings = Settings.model_validate(chapter.settings)
    changes = {name: case.change for name, case in chapter.cases.items()} | settings.of_linux
    for case, change in changes.items():
        engine = "kernel-default" if case in settings.as_delivered else "kernel"
        mapping = changed(chapter.base, change)
        for offset_ms in settings.offsets_ms:
            later = changed(mapping, {"flows.1.start_s": mapping["flows"][1]["start_s"] + offset_ms / 1e3})
            yield Member(case, offset_ms, scenario_from({"name": f"{case}, {offset_ms} ms"} | later), engine)


def row(member: Member, ds: xr.Dataset) -> dict[str, Any]:
    """What a run comes to: packets of each flow, the first one's share in percent and latency in ms."""
    packets = {
        f"{measure}_{flow}": count
        for measure in ("received", "dropped")
        for flow, count in enumerate(ds[measure].values.tolist(), start=1)
    }
    return {
        "case": member.case,
        "offset_ms": member.offset_ms,
        **packets,
        "share_1_percent": round(float(100 * ds["received_bytes"][0] / ds["received_bytes"].sum()), 3),
        "latency_1_ms": round(float(metrics.latency_ms(ds, 1).mean()), 3),
        "timeouts_1": int(ds["timeouts"][0]),
        "period_1_ms": period_ms(ds),
    }


def period_ms(ds: xr.Dataset) -> float | None:
    """The mean time between the first flow's reactions to a loss, a tooth of its window; None if there were not two."""
    cuts_s = np.sort(np.concatenate([metrics.times_of(ds, 1, cause) for cause in ("fast_retransmit", "timeout")]))
    return round(1e3 * float(np.diff(cuts_s).mean()), 3) if cuts_s.size > 1 else None


def modelled(chapter: Chapter, engine: str) -> pd.DataFrame:
    """The rows of all cases on the model, in the chapter's profile."""
    return pd.DataFrame(
        [row(member, simulate(member.scenario, engine)) for member in members(chapter) if member.case in chapter.cases]
    )


def modelled_as_linux(chapter: Chapter, engine: str) -> pd.DataFrame:
    """Those and BBR's in the profiles of Linux: set as the kernel was, or as delivered."""
    return pd.DataFrame([row(member, simulate(as_linux(member), engine)) for member in members(chapter)])


def as_linux(member: Member) -> Scenario:
    """A member's scenario in the profile of Linux that is set as its engine is."""
    mapping = member.scenario.to_mapping()
    if member.engine == "kernel-default":
        return scenario_from(mapping | {"profile": "linux"})
    initial_window = member.scenario.profile.initial_window_packets
    return scenario_from(mapping | {"profile": "linux-nearest", "initial_window_packets": initial_window})


def kept() -> dict[str, Any]:
    """What `keep` wrote: which kernel it was, and a row for each run."""
    content: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    return content


def kernels() -> pd.DataFrame:
    """The rows of the kept runs."""
    return pd.DataFrame(kept()["rows"])
