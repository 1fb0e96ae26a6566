"""Where two runs part: the first event on the link that is not the same in both, whatever program recorded them.

Both are seen as ns-2's trace prints them: kind, time to the microsecond, link, flow, data or ACK, number, bytes, and
which packet it is, counted as they come.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
import xarray as xr

from simcore.results.dataset import causes
from simcore.results.log import EVENT_LETTERS, FORWARD, REVERSE

BEFORE: Final = 10  # events that are shown before the first that differs
AFTER: Final = 3  # events that are shown of each side, the first that differs among them
LEGEND: Final = "+ offered to the queue   - sent   d dropped   r received   > with the data   < with the ACKs"
COLUMNS: Final = ["kind", "us", "link", "flow", "is_ack", "seq", "bytes", "packet"]


@dataclass(frozen=True)
class Parting:
    """The first difference of two runs: how many events are the same before it, and what comes then on each side.

    `sides` are the lines of each, none if its events have come to their end. `at_s` is the earlier of both times.
    """

    equal: int
    at_s: float
    before: list[str]
    sides: tuple[list[str], list[str]]


def parting(one: pd.DataFrame, other: pd.DataFrame, *, whole_row: bool) -> Parting | None:
    """Where two runs part, by their events (`events_of_run`, `events_of_link`); None if they have the same.

    Without `whole_row` only the first link is looked at: what is read from a trace is seen from one.
    """
    tables = [_printed(each if whole_row else each[each["link"].isin((FORWARD, REVERSE))]) for each in (one, other)]
    length = min(map(len, tables))
    same = (tables[0][:length].to_numpy() == tables[1][:length].to_numpy()).all(axis=1)
    equal = length if same.all() else int(same.argmin())
    if equal == max(map(len, tables)):
        return None
    first, second = (_lines(table[equal : equal + AFTER]) for table in tables)
    moments = [table["us"].iloc[equal] for table in tables if equal < len(table)]
    return Parting(equal, min(moments) / 1e6, _lines(tables[0][max(equal - BEFORE, 0) : equal]), (first, second))


def events_of_run(ds: xr.Dataset) -> pd.DataFrame:
    """What happened at the bottlenecks, in both directions, a row an event. Raises KeyError if it was not recorded."""
    uid = ds["event_uid"].values
    table = {name: ds[f"event_{name}"].values for name in ("kind", "s", "link", "uid")}
    return pd.DataFrame(table | {name: values[uid] for name, values in _packets(ds).items()})


def last_rules(ds: xr.Dataset, until_s: float) -> list[str]:
    """What the rules of TCP did last to each window until then; nothing where no windows were recorded."""
    if "update_s" not in ds:
        return []
    made = causes(ds).values
    lines = []
    for flow, name in zip(ds["flow"].values, ds["flow_name"].values, strict=True):
        rows = np.flatnonzero((ds["update_flow"].values == flow) & (ds["update_s"].values <= until_s))
        if rows.size:
            last = ds[["update_s", "update_cwnd", "update_ssthresh"]].isel(update=rows[-1])
            lines.append(
                f"{name}: {made[rows[-1]].replace('_', ' ')} at {float(last['update_s']):.6f} s, "
                f"cwnd {float(last['update_cwnd']):.4g}, ssthresh {float(last['update_ssthresh']):.4g}"
            )
    return lines


def _packets(ds: xr.Dataset) -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """What is known of each packet, by its uid."""
    data, acks = ds["packet_uid"].values, ds["ack_uid"].values
    columns = {name: np.zeros(len(data) + len(acks), np.int64) for name in ("flow", "seq", "bytes", "is_ack")}
    for name, of_ack in (("flow", "flow"), ("seq", "number"), ("bytes", "bytes")):
        columns[name][data] = ds[f"packet_{name}"].values
        columns[name][acks] = ds[f"ack_{of_ack}"].values
    columns["is_ack"][acks] = 1
    return columns


def _printed(events: pd.DataFrame) -> pd.DataFrame:
    """As whole numbers; packets are numbered as they come, since no two programs number them alike."""
    us = np.floor(events["s"] * 1e6 + 0.5)  # ns-2: trace.h, round()
    return events.assign(us=us, packet=pd.factorize(events["uid"])[0])[COLUMNS].astype(np.int64)


def _lines(events: pd.DataFrame) -> list[str]:
    return [
        f"{EVENT_LETTERS[kind]} {us / 1e6:11.6f} s  link {link // 2}{'><'[link % 2]}  flow {flow}  "
        f"{('data', 'ACK')[is_ack]:4} {seq:6d}  {size:5d} bytes  packet {packet}"
        for kind, us, link, flow, is_ack, seq, size, packet in events.to_numpy().tolist()
    ]
