"""One packet lost or spared: the same scenario with another fate for it, and what came of that."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import numpy as np
import xarray as xr

from simcore import metrics
from simcore.metrics.series import offered
from workbook.reading.parting import events_of_run, parting

Fate = Literal["lost", "spared"]
FIELDS: Final = {"lost": "lost_packets", "spared": "spared_packets"}  # of a flow


def named_packets(settings: Iterable[Mapping[str, Any]]) -> dict[int, set[int]]:
    """By flow: the packets that any of these settings loses or spares."""
    named: dict[int, set[int]] = defaultdict(set)
    for setting in settings:
        for number, flow in enumerate(setting["flows"], start=1):
            for field in FIELDS.values():
                named[number].update(flow.get(field, ()))
    return named


def with_fate(setting: Mapping[str, Any], flow: int, number: int, fate: Fate) -> dict[str, Any]:
    """A setting in which the flow's packet of that number is dropped on purpose, or accepted into a full queue.

    Flows count from 1. The packets before it meet the same fate as without, so that both runs are one until then.
    """
    flows = [dict(given) for given in setting["flows"]]
    chosen = flows[flow - 1]
    for name, field in FIELDS.items():
        others = [other for other in chosen.get(field, ()) if other != number]
        listed = sorted([*others, number]) if name == fate else others
        chosen.pop(field, None)
        if listed:
            chosen[field] = listed
    return {**setting, "flows": flows}


def parted(setting: Mapping[str, Any]) -> tuple[dict[str, Any], dict[int, dict[str, list[int]]]]:
    """A setting without the packets that are lost or spared on purpose, and these, by flow from 0."""
    named = {
        k: {name: list(flow.get(field, ())) for name, field in FIELDS.items()}
        for k, flow in enumerate(setting["flows"])
        if any(field in flow for field in FIELDS.values())
    }
    flows = [{key: value for key, value in flow.items() if key not in FIELDS.values()} for flow in setting["flows"]]
    return {**setting, "flows": flows}, named


def reached(ds: xr.Dataset) -> list[int]:
    """By flow: how many packets reached the bottleneck."""
    times = ds["packet_enqueued_s"].values
    return [int(np.count_nonzero(~np.isnan(times[offered(ds, int(flow))]))) for flow in ds["flow"].values]


def compared(one: xr.Dataset, other: xr.Dataset) -> str:
    """Until when two runs are alike, and what comes of it, in words. Both have all that can be recorded."""
    found = parting(events_of_run(one), events_of_run(other), whole_row=True)
    if found is None:
        return "Both runs are the same."
    goodputs = zip(metrics.goodput_kbps(one).values, metrics.goodput_kbps(other).values, strict=True)
    told = (
        f"flow {flow} {_more(round(float(after - before)))}" for flow, (before, after) in enumerate(goodputs, start=1)
    )
    return f"Alike until {found.at_s:.4f} s. In the end {', '.join(told)}."


def _more(kbps: int) -> str:
    return f"{'loses' if kbps < 0 else 'gains'} {abs(kbps)} kb/s of goodput" if kbps else "gets the same"
