"""What the widget shows of a run: charts, numbers, flows, and why their windows changed."""

from collections.abc import Sequence
from typing import Any

import xarray as xr

from simcore import Scenario
from simcore.rules.causes import CAUSES
from simcore.rules.why import Why
from simcore.scenario.flows import TcpFlow
from workbook.explore.charts import MARK_COLOURS, Named, View, charts
from workbook.explore.explanations import why
from workbook.explore.futures import named_packets
from workbook.explore.looks import colour
from workbook.explore.numbers import Row, numbers
from workbook.explore.overlay import with_kernels
from workbook.explore.plane import plane_chart

Picture = dict[str, object]


def picture_of(
    runs: Sequence[tuple[str, Scenario, xr.Dataset]], view: View, kernels: xr.Dataset | None = None
) -> Picture:
    """One or two runs, each with its title, in the same part of the time; `kernels` is of the last one's setting."""
    named = named_packets(scenario.to_mapping() for _, scenario, _ in runs)
    drawn = [_run(title, scenario, ds, view, named) for title, scenario, ds in runs]
    if kernels is not None:
        drawn[-1]["charts"] = with_kernels(drawn[-1]["charts"], kernels, view)
    return {"from_s": view.start_s, "to_s": view.end_s, "colours": MARK_COLOURS, "runs": drawn}


def _run(title: str, scenario: Scenario, ds: xr.Dataset, view: View, named: Named) -> dict[str, Any]:
    flows, found = [int(flow) for flow in ds["flow"].values], numbers(ds)
    return {
        "title": title,
        "flows": [
            {"name": name, "colour": colour(ds, flow), "why": _reasons(scenario, flow)}
            for flow, name in zip(flows, ds["flow_name"].values.tolist(), strict=True)
        ],
        "charts": charts(ds, view, named),
        "plane": plane_chart(ds, view),
        "rows": [_row(row) for row in found.rows],
        "together": found.together,
    }


def _row(row: Row) -> Picture:
    shown = ["" if value != value else f"{value:.{row.digits}f}" for value in row.values]
    return {"name": row.name, "unit": row.unit, "values": shown}


def _reasons(scenario: Scenario, flow: int) -> list[Why]:
    """Why the window of a flow may change, by the number of the cause; nothing for UDP."""
    given = scenario.flows[flow - 1]
    return [why(cause, given, scenario.profile) for cause in CAUSES] if isinstance(given, TcpFlow) else []
