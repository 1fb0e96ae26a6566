"""Captures of packets, pcap or pcapng, as the Dataset of the point where they were made.

A capture at the sender tells when data were sent and ACKs came back; one at the receiver, when data came and ACKs were
sent; the four points that `workbook run --pcap` writes, both and what lies between.
"""

from datetime import UTC, datetime
from pathlib import Path
from socket import AF_INET, AF_INET6, inet_ntop
from typing import Any, Final, Literal, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr
from dpkt.tcp import TH_ACK, TH_CWR, TH_ECE

from simcore.results import tables
from simcore.results.dataset import described
from simcore.results.log import DROPPED, ENQUEUED, RECEIVED
from simcore.results.totals import MEANINGS
from workbook.export.capture import AT_THE_QUEUE, BEHIND, MARKED
from workbook.reading import segments
from workbook.reading.events import Events, UnreadableError, dataset_of_events
from workbook.reading.sightings import End, Sightings, sightings

Array = npt.NDArray[Any]
Place = Literal["sender", "receiver"]

TYPES: Final = ("tcp", "udp", "ack")
NS: Final = 1e-9
UNTOLD: Final = {  # what no capture tells, and what one from the one end alone doesn't
    "anywhere": ("packet_dequeued_s", "ack_dequeued_s", "packet_marked", "change_s", "change_flow", "change_step",
                 "change_queue_packets"),
    "sender": (
        "packet_received_s", "packet_arrived_s", "packet_dropped", "ack_sent_s", "ack_enqueued_s", "ack_dropped",
        "dropped", "received", "received_bytes", "in_flight",
    ),
    "receiver": (
        "packet_sent_s", "packet_enqueued_s", "packet_dropped", "ack_received_s", "ack_arrived_s", "ack_dropped",
        "sent", "dropped", "acknowledged", "in_flight",
    ),
}  # fmt: skip


def read_capture(path: Path, interface: str | None = None, at: Place | None = None) -> xr.Dataset:
    """Read a capture, compressed or not.

    A flow is the direction of a TCP connection, or of a pair of UDP ports, in which more bytes of payload went.

    Parameters
    ----------
    path : Path
        pcap or pcapng, with times in us or ns; `.gz`, `.xz` and `.bz2` are opened.
    interface : str, optional
        The name or number of the interface to look at. Without it: that which saw most, or all four of a capture that
        `workbook run --pcap` wrote.
    at : str, optional
        "sender" or "receiver" of the data, to which the point is nearer. Without it: as times between data and ACKs
        tell.

    Returns
    -------
    xarray.Dataset
        Packets, ACKs and flows as `workbook.reading.ns2_trace.read_trace` gives them, as far as the point tells: at
        the sender there are no arrivals, at the receiver no sendings. Segments are numbered, not bytes. Beside these
        `packet_payload_bytes`, `packet_ecn` (codepoint of RFC 3168) and `packet_cwr`; `ack_duplicate`, `ack_echo` and
        `ack_sacked_bytes`; for each flow both ends, its duplicate ACKs and the payload acknowledged; and `sample_rtt_s`
        where segments carry timestamps. Times are in s since the second in which the first packet came, which the
        attribute `begins_at` names.

    Raises
    ------
    UnreadableError
        If the file is damaged, holds no TCP and no UDP, or has no such interface.
    OSError, EOFError, lzma.LZMAError, zlib.error
        If the file can't be read, or decompressed.
    """
    seen = sightings(path, interface)
    together = len(seen.points) > 1
    begin_ns = 0 if together else int(seen.rows["ns"].min()) // 10**9 * 10**9
    rows, flows = _of_flows(seen.rows.assign(s=(seen.rows["ns"] - begin_ns) * NS), seen)
    place: Place = at or ("sender" if together else _place(rows))
    rows["judged"] = rows["uid"].isin(_judged(rows, place))
    link = (AT_THE_QUEUE, BEHIND) if together else (0, 1)
    ds = dataset_of_events(_events(rows, len(seen.points), place), path.name, link)
    untold = UNTOLD["anywhere"] if together else (*UNTOLD["anywhere"], *UNTOLD[place])
    ds = ds.drop_vars([name for name in untold if name in ds]).assign(_more(rows, flows, together, place))
    attributes = {
        "title": path.name,
        "source": f"read from {path.name}: a capture {_where(seen.points, place)}",
        "begins_at": datetime.fromtimestamp(begin_ns // 10**9, UTC).isoformat(),
        "packets_left_out": seen.left_out,
        "flows_left_out": 0,
    }
    return ds.assign_attrs(attributes)


def _where(points: list[str], place: Place) -> str:
    if len(points) > 1:
        return f"at {len(points)} points, from sender to receiver"
    on = f" on {points[0]}" if points[0] else ""
    return f"at one point{on}, seen as the {place}'s"


def _of_flows(rows: pd.DataFrame, seen: Sightings) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What is data or acknowledges data, with the numbers of flows, segments and ACKs; and the flows' two ends."""
    data_way = _data_ways(rows[rows["point"] == AT_THE_QUEUE] if len(seen.points) > 1 else rows)
    rows = _of_data(rows[rows["connection"].isin(data_way.index)], data_way, np.array(seen.is_tcp))
    numbered = [_numbered(packets) for _, packets in rows.drop_duplicates("uid").groupby("flow")]
    rows = rows.join(pd.concat(numbered), on="uid")
    ends = [seen.ends[place][:: -1 if data_way[place] else 1] for place in rows["connection"].unique()]
    return rows, pd.DataFrame([{"from": _name(source), "to": _name(destination)} for source, destination in ends])


def _data_ways(rows: pd.DataFrame) -> pd.Series:
    """In which direction more payload passed, by connection; those without any are left out."""
    first = rows.drop_duplicates("uid")
    sizes = first.pivot_table("payload", "connection", "way", "sum", fill_value=0).reindex(columns=[0, 1], fill_value=0)
    sizes = sizes[sizes.sum(axis=1) > 0]
    if sizes.empty:
        raise UnreadableError("no data in it: nothing but segments and datagrams without payload")
    return (sizes[1] > sizes[0]).astype(int)


def _of_data(rows: pd.DataFrame, data_way: pd.Series, tcp: Array) -> pd.DataFrame:
    """What is data or acknowledges them. Flows and packets are numbered as they come."""
    is_ack = rows["way"] != rows["connection"].map(data_way)
    is_tcp = tcp[rows["connection"]]
    takes = segments.occupied(rows["payload"].to_numpy(), rows["flags"].to_numpy())
    kept = np.where(is_ack, is_tcp & (rows["flags"] & TH_ACK > 0), ~is_tcp | (takes > 0))
    rows = rows.assign(is_ack=is_ack, is_tcp=is_tcp, takes=takes)[kept]
    return rows.assign(uid=pd.factorize(rows["uid"])[0], flow=pd.factorize(rows["connection"])[0])


def _numbered(packets: pd.DataFrame) -> pd.DataFrame:
    """The packets of a flow, by uid: the number of the segment or ACK, and the bytes where it begins and ends."""
    data = ~packets["is_ack"].to_numpy()
    if not packets["is_tcp"].iloc[0]:
        count = np.arange(len(packets))
        return pd.DataFrame({"number": count, "begin": count, "end": count + 1}, packets["uid"])
    begin = segments.unwrapped(np.where(data, packets["seq"], packets["ack"]))
    end = begin + np.where(data, packets["takes"], 0)
    number = np.zeros(len(packets), np.int64)
    number[data], number[~data] = segments.segment_numbers(begin[data], end[data], begin[~data])
    return pd.DataFrame({"number": number, "begin": begin, "end": end}, packets["uid"])


def _name(end: End) -> str:
    address, port = end
    name = inet_ntop(AF_INET if len(address) == 4 else AF_INET6, address)
    return f"{name}:{port}" if len(address) == 4 else f"[{name}]:{port}"


def _place(rows: pd.DataFrame) -> Place:
    """Which end of the data is nearer: at the sender an ACK brings new data at once, at the receiver data an ACK."""
    waits: dict[bool, list[Array]] = {False: [], True: []}
    for _, packets in rows[rows["is_tcp"]].groupby("flow"):
        after = np.diff(packets["s"].to_numpy())
        turns = np.diff(packets["is_ack"].to_numpy().astype(int))
        sent = packets[~packets["is_ack"]].groupby("number")["s"].last()
        answers = packets[packets["is_ack"]].drop_duplicates("number")
        waits[True].append((answers["s"] - answers["number"].map(sent)).dropna().to_numpy())
        waits[False].append(after[turns == -1])
    answered, released = (np.concatenate(waits[kind]) if waits[kind] else np.zeros(0) for kind in (True, False))
    if answered.size == 0 or released.size == 0:
        return "sender"
    return "sender" if np.median(released) <= answered.min() else "receiver"


def _judged(rows: pd.DataFrame, place: Place) -> Array:
    """The uids of segments that were sent before, and of duplicate ACKs: as the first point sees them come and go."""
    here = rows[rows["point"] == rows["point"].min()]
    return np.concatenate([_judged_flow(packets, place) for _, packets in here.groupby("flow")])


def _judged_flow(packets: pd.DataFrame, place: Place) -> Array:
    data = packets[~packets["is_ack"]]
    again = segments.sent_before(data["begin"].to_numpy(), data["end"].to_numpy(), place == "sender")
    highest = packets["end"].where(~packets["is_ack"]).cummax().ffill()
    acks = packets[packets["is_ack"]]
    begin, payload, flags, window = (acks[name].to_numpy() for name in ("begin", "payload", "flags", "window"))
    outstanding = (highest[acks.index] > begin).to_numpy()
    doubled = segments.duplicate_acks(begin, payload, flags, window, outstanding)
    return np.concatenate([data["uid"].to_numpy()[again], acks["uid"].to_numpy()[doubled]])


def _events(rows: pd.DataFrame, points: int, place: Place) -> Events:
    """What a packet's passing of a point means: it leaves the link before it, and is offered to the one behind it.

    The points are nodes in a row; of one that is alone, the other end of the path is a second.
    """
    nodes = max(points, 2)
    node = rows["point"].to_numpy() if points > 1 else np.full(len(rows), int(place == "receiver"))
    step = np.where(rows["is_ack"], -1, 1)
    comes, goes = node - step, node + step
    refused = rows["is_dropped"].to_numpy(bool) & (points > 1)
    parts = [
        rows.assign(kind=RECEIVED, near=comes, far=node)[(comes >= 0) & (comes < nodes)],
        rows.assign(kind=ENQUEUED, near=node, far=goes)[(goes >= 0) & (goes < nodes)],
        rows.assign(kind=DROPPED, near=node, far=goes)[refused],
    ]
    events = pd.concat(parts).sort_index(kind="stable")
    type_of = np.where(events["is_ack"], TYPES.index("ack"), np.where(events["is_tcp"], 0, 1))
    columns = {name: events[name].to_numpy() for name in ("kind", "s", "near", "far", "uid", "is_ack")}
    return Events(
        **columns, type=type_of, bytes=events["size"].to_numpy(), fid=events["flow"].to_numpy(),
        seq=events["number"].to_numpy(), ends=(events["flow"].to_numpy(),) * 2, types=TYPES,
    )  # fmt: skip


def _more(rows: pd.DataFrame, flows: pd.DataFrame, together: bool, place: Place) -> dict[str, xr.Variable]:
    """What a capture tells beyond a trace of ns-2."""
    first = rows.drop_duplicates("uid").sort_values("uid")
    data, acks = first[~first["is_ack"]], first[first["is_ack"]]
    again, doubled = (part["judged"].to_numpy(bool) for part in (data, acks))
    variables: dict[str, tuple[str, Any, str, str]] = {
        "packet_retransmission": ("packet", again, "sent before", "1"),
        "packet_payload_bytes": ("packet", data["payload"], "payload", "bytes"),
        "packet_ecn": ("packet", data["ecn"], "ECN codepoint: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE", "1"),
        "packet_cwr": ("packet", data["flags"] & TH_CWR > 0, "congestion window reduced", "1"),
        "ack_duplicate": ("ack", doubled, "duplicate ACK", "1"),
        "ack_echo": ("ack", acks["flags"] & TH_ECE > 0, "echoes congestion experienced", "1"),
        "ack_sacked_bytes": ("ack", acks["sacked"], "bytes in its SACK blocks", "bytes"),
        "flow_source": ("flow", np.array(flows["from"], str), "address and port of the sender", "1"),
        "flow_destination": ("flow", np.array(flows["to"], str), "address and port of the receiver", "1"),
        "retransmitted": ("flow", _count(data["flow"][again], flows), *MEANINGS["retransmitted"]),
        "duplicate_acks": ("flow", _count(acks["flow"][doubled], flows), "duplicate ACKs", "packets"),
        "acknowledged_bytes": ("flow", _acknowledged_bytes(first, flows), "payload acknowledged", "bytes"),
    }
    if together or place == "receiver":
        marked = rows[(rows["ecn"] == MARKED) & ~rows["is_ack"]].drop_duplicates("uid")
        variables["packet_marked"] = ("packet", data["uid"].isin(marked["uid"]), *tables.MEANINGS["marked"])
        variables["marked"] = ("flow", _count(marked["flow"], flows), *MEANINGS["marked"])
    here = rows[rows["point"] == rows["point"].min()]
    return {name: described(dim, np.asarray(values), *words) for name, (dim, values, *words) in variables.items()} | (
        _samples(here) if place == "sender" else {}
    )


def _count(flow_of_each: pd.Series, flows: pd.DataFrame) -> Array:
    return np.bincount(flow_of_each, minlength=len(flows))


def _acknowledged_bytes(first: pd.DataFrame, flows: pd.DataFrame) -> Array:
    """The payload of the segments that each flow's highest ACK covers; NaN for UDP, which has none."""
    data, acks = first[~first["is_ack"]], first[first["is_ack"]]
    highest = acks.groupby("flow")["begin"].max()
    covered = data[data["end"] <= data["flow"].map(highest)].drop_duplicates(["flow", "begin"])
    known = covered.groupby("flow")["payload"].sum().reindex(highest.index, fill_value=0)
    return known.reindex(range(len(flows))).to_numpy(float)


def _samples(here: pd.DataFrame) -> dict[str, xr.Variable]:
    """Round-trip times by the timestamps option; nothing where no segment carries it."""
    samples = []
    for flow, packets in here[here["has_stamps"] > 0].groupby("flow"):
        data, acks = packets[~packets["is_ack"]], packets[packets["is_ack"]]
        columns = [data["ns"], data["stamp"], acks["ns"], acks["begin"], acks["echo"]]
        rtt_ns, rows = segments.stamped_samples(*[column.to_numpy() for column in columns])
        samples.append(
            pd.DataFrame({"flow": int(cast(int, flow)) + 1, "s": acks["s"].to_numpy()[rows], "rtt_s": rtt_ns * NS})
        )
    if not samples:
        return {}
    table = pd.concat(samples)
    return {
        "sample_s": described("sample", table["s"].to_numpy(), "time", "s"),
        "sample_flow": described("sample", table["flow"].to_numpy(np.int32), "flow", "1"),
        "sample_rtt_s": described("sample", table["rtt_s"].to_numpy(), "round-trip time by timestamps", "s"),
    }
