"""A span of a run, and the packets that are under way in it."""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from pydantic import BaseModel, ConfigDict, Field

from simcore.metrics.series import Array

STAGES = ("sent_s", "enqueued_s", "dequeued_s", "received_s", "arrived_s")


class Scene(BaseModel):
    """A span of one run that the player shows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    from_s: float = Field(ge=0)
    to_s: float


@dataclass(frozen=True)
class Journeys:
    """Packets and ACKs under way within a scene, in the order in which they were sent; times in s."""

    flow: Array
    is_ack: Array
    times: Array  # a row a packet: sent, at the router, taken by the bottleneck, behind it, arrived; NaN if not


def longest_trip_s(run: xr.Dataset) -> float:
    """The longest time from a packet's or an ACK's sending to its arrival; 0 if nothing arrived."""
    trips = [run[f"{table}_arrived_s"].values - run[f"{table}_sent_s"].values for table in ("packet", "ack")]
    return float(np.nanmax(np.concatenate([[0.0], *trips])))


def journeys(run: xr.Dataset, scene: Scene) -> Journeys:
    """Whatever is under way in a scene, in both directions."""
    tables = [_table(run, table, scene) for table in ("packet", "ack")]
    flow, times = (np.concatenate([each[part] for each in tables]) for part in (0, 1))
    is_ack = np.concatenate([np.full(each[0].size, ack) for each, ack in zip(tables, (False, True), strict=True)])
    order = np.argsort(times[:, 0], kind="stable")
    return Journeys(flow[order], is_ack[order], times[order])


def _table(run: xr.Dataset, table: str, scene: Scene) -> tuple[Array, Array]:
    sent = run[f"{table}_sent_s"].values
    rows = np.flatnonzero((sent >= scene.from_s - longest_trip_s(run)) & (sent < scene.to_s))
    times = np.stack([run[f"{table}_{stage}"].values[rows] for stage in STAGES], axis=1)
    kept = ~(times[:, -1] < scene.from_s)  # NaN: dropped
    return run[f"{table}_flow"].values[rows][kept], times[kept]


def picture_of(packets: Journeys, scene: Scene, microseconds: float = 1e6) -> list[list[int]]:
    """Rows of whole numbers for the player: flow from 0, 1 for an ACK, when it was sent, and how long each stage took.

    Times in us since the scene's start. -1 is a stage that never came: after a drop, or after the run's end.
    """
    relative = (packets.times - scene.from_s) * microseconds
    spans = np.diff(relative, axis=1)
    columns = np.column_stack([packets.flow - 1, packets.is_ack, relative[:, :1], np.where(np.isnan(spans), -1, spans)])
    rows: list[list[int]] = np.rint(columns).astype(np.int64).tolist()
    return rows
