"""A moment of a run as an animation of its packets."""

import xarray as xr

from simcore import metrics
from workbook.explore.looks import colour
from workbook.export.player import Host, Scene, player_page, transmission_s
from workbook.plots import style

PACKETS_LONG = 150  # transmissions that a scene lasts
BEFORE = 0.3  # of the scene lies before the moment
SENDERS_X, RECEIVERS_X, TOP, BOTTOM = 2.0, 8.6, 0.92, 0.08
MOST_SLOTS = 60  # that are drawn of a buffer


def animation(ds: xr.Dataset, time_s: float) -> str:
    """The HTML page of the player around a moment."""
    length_s = PACKETS_LONG * transmission_s(ds)
    start_s = max(0.0, min(time_s - BEFORE * length_s, metrics.end_s(ds) - length_s))
    scene = Scene(title=f"around {time_s:.4f} s", from_s=start_s, to_s=start_s + length_s)
    return player_page(ds, _hosts(ds), ("R1", "R2"), _slots(ds), [scene], "The packets on their way")


def _hosts(ds: xr.Dataset) -> list[Host]:
    count = ds.sizes["flow"]
    step = (TOP - BOTTOM) / max(count - 1, 1)
    heights = [TOP - step * place for place in range(count)] if count > 1 else [0.5]
    return [
        Host(style.name(ds, flow), colour(ds, flow), (f"S{flow}", f"D{flow}"), ((SENDERS_X, y), (RECEIVERS_X, y)))
        for flow, y in enumerate(heights, start=1)
    ]


def _slots(ds: xr.Dataset) -> int:
    """How many may wait, or did where the queue has no limit in packets."""
    limit = metrics.buffer_packets(ds)
    room = limit - 1 if limit is not None else int(ds["change_queue_packets"].values.max(initial=1))
    return min(max(room, 1), MOST_SLOTS)
