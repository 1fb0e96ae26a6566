"""How flows look on the screen: as in the figures, with further shades for more than two flows of a kind."""

from typing import Final

import xarray as xr

from workbook.plots import style

FURTHER: Final = {
    "tcp": ("#00796b", "#6a4fb3", "#4f8f2f", "#a0307a", "#5f6b7a", "#1c6ba0"),
    "udp": ("#8c2d04", "#c9a227", "#7a5230", "#d9735b"),
}


def colour(ds: xr.Dataset, flow: int) -> str:
    """The colour of one flow, by its place among the flows of its kind."""
    kinds = [str(kind) for kind in ds["flow_kind"].values]
    kind = kinds[flow - 1]
    colours = [look.colour for look in style.FLOWS[kind]] + list(FURTHER[kind])
    return colours[kinds[: flow - 1].count(kind) % len(colours)]
