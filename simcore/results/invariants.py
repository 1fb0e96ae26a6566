"""Invariants of every TCP sender in every scenario, whatever its variant: tested with ours and with a student's own.

Each takes a run and its scenario, and raises AssertionError with the flow that broke it. Conservation is one too;
`simulate` itself checks it at the end of each run.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from simcore.results.dataset import causes
from simcore.scenario.flows import TcpFlow
from simcore.scenario.scenario import Scenario

Array = npt.NDArray[Any]


def sends_in_order(dataset: xr.Dataset, scenario: Scenario) -> None:
    """A sender skips no sequence number, and only what it has sent before is a retransmission."""
    for number, _ in _senders(scenario):
        packets = of_flow(dataset, "packet", number)
        seq = packets["packet_seq"].values
        highest_before = np.maximum.accumulate(np.concatenate([[-1], seq]))[:-1]
        assert (seq <= highest_before + 1).all(), f"flow {number} skipped a segment"
        repeated = (seq <= highest_before) == packets["packet_retransmission"].values
        assert repeated.all(), f"flow {number} calls a new segment a retransmission, or the other way round"


def respects_the_receivers_window(dataset: xr.Dataset, scenario: Scenario) -> None:
    """A sender never has more outstanding than the receiver allows, by the ACKs that have reached it."""
    for number, flow in _senders(scenario):
        packets, acks = of_flow(dataset, "packet", number), of_flow(dataset, "ack", number)
        heard_s = happened(acks["ack_arrived_s"])
        came = ~np.isnan(acks["ack_arrived_s"].values)  # the others are lost, or on their way
        acked = np.concatenate([[-1], acks["ack_number"].values[came]])
        known = acked[np.searchsorted(heard_s, packets["packet_sent_s"].values, side="right")]
        outstanding = packets["packet_seq"].values - known
        assert (outstanding <= flow.window_packets).all(), f"flow {number} sent more than the receiver's window"


def never_closes_its_window(dataset: xr.Dataset, scenario: Scenario) -> None:
    """One packet may always be sent. ns-2 cuts a window of one to less, but duplicate ACKs then stand for it.

    Not so if an echoed mark cuts it: the timer opens it again. Nor in Vegas after a timeout: when duplicate ACKs
    end, ns-2 deflates cwnd to v_newcwnd_, which the timeout has set to 0, and waits for the timer.
    """
    flows, timed_out = dataset["update_flow"].values, np.isin(causes(dataset).values, ("timeout", "idle_timeout"))
    may_close = np.zeros(len(flows), dtype=bool)
    for number, flow in _senders(scenario):
        if flow.ecn:
            may_close |= flows == number
        elif flow.rules().recovery.name == "vegas":
            may_close |= (flows == number) & np.logical_or.accumulate(timed_out & (flows == number))
    dataset = dataset.isel(update=~may_close)
    cwnd, inflation = dataset["update_cwnd"].values, dataset["update_inflation"].values
    ssthresh = dataset["update_ssthresh"].values[causes(dataset).values == "fast_retransmit"]
    assert np.isfinite(cwnd).all(), "cwnd is not a finite number"
    assert (cwnd.astype(int) + inflation >= 1).all(), "cwnd and inflation together fell below one packet"
    assert (cwnd[inflation == 0] >= 1).all(), "cwnd fell below one packet"
    assert (ssthresh >= 2).all(), "ssthresh fell below two packets"  # RFC 5681, equation (4)


SENDER_INVARIANTS = (sends_in_order, respects_the_receivers_window, never_closes_its_window)


def of_flow(dataset: xr.Dataset, table: str, flow: int) -> xr.Dataset:
    """The rows of one flow, in order."""
    return dataset.isel({table: np.flatnonzero(dataset[f"{table}_flow"].values == flow)})


def happened(times: xr.DataArray) -> Array:
    """The times that aren't NaN."""
    values: Array = times.values
    return values[~np.isnan(values)]


def _senders(scenario: Scenario) -> Iterator[tuple[int, TcpFlow]]:
    return ((number, flow) for number, flow in enumerate(scenario.flows, start=1) if isinstance(flow, TcpFlow))
