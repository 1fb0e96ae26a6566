"""A run of the model beside one of the kernel's: numbers, the first event that differs, and lockstep."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import xarray as xr

from simcore import Scenario, metrics
from simcore.rules.stack import variant_in
from simcore.scenario.flows import TcpFlow
from workbook.export.table import aligned
from workbook.reading.lockstep import events_of, lockstep
from workbook.reading.parting import events_of_run, parting
from workbook.reading.receivers import answered_alike, arrivals_of

COUNTED: Final = ("received", "dropped", "retransmitted", "fast_retransmits", "timeouts")


@dataclass(frozen=True)
class Difference:
    """Where two runs part, as lines for a person; nowhere, if they are the same."""

    is_same: bool
    lines: list[str]


def counterpart(scenario: Scenario) -> str:
    """The engine that a scenario's model is to be compared with.

    Parameters
    ----------
    scenario : Scenario
        What is run.

    Returns
    -------
    str
        The kernel as it is delivered where the profile is `linux`; else the one that is set near the textbook.
    """
    return "kernel-default" if scenario.profile.name == "linux" else "kernel"


def table(ours: xr.Dataset, theirs: xr.Dataset) -> str:
    """Of each flow what the model has, what the kernel has, and how much more the model has.

    Parameters
    ----------
    ours, theirs : xarray.Dataset
        Runs of one scenario, recorded with packets.

    Returns
    -------
    str
        Lines in columns.
    """
    rows = [("flow", "", "model", "kernel", "difference")]
    for flow, name in zip(ours["flow"].values.tolist(), ours["flow_name"].values.tolist(), strict=True):
        for measure in (*COUNTED, "latency ms"):
            model, kernel = _measured(ours, flow, measure), _measured(theirs, flow, measure)
            rows.append((name, measure, f"{model:.6g}", f"{kernel:.6g}", f"{model - kernel:+.4g}"))
    return aligned(rows)


def _measured(ds: xr.Dataset, flow: int, measure: str) -> float:
    if measure == "latency ms":
        return round(float(metrics.latency_ms(ds, flow).mean()), 2)
    return float(ds[measure].values[ds["flow"].values == flow][0])


def first_difference(ours: xr.Dataset, theirs: xr.Dataset) -> Difference:
    """The first event that is not the same in both runs, where the kernel's timers had no part in its run.

    Parameters
    ----------
    ours, theirs : xarray.Dataset
        Runs of one scenario, the model's and the kernel's.

    Returns
    -------
    Difference
        Without events where timers sent packets: at what time is not the rules' business then.
    """
    if by_clock := theirs.attrs["stamped_by_clock_packets"]:
        return Difference(False, [f"{by_clock} packets were sent by the kernel's own timers: events are not compared."])
    difference = parting(events_of_run(ours), events_of_run(theirs), whole_row=True)
    if difference is None:
        return Difference(True, ["All events are the same."])
    firsts = [lines[0] if lines else "no more" for lines in difference.sides]
    sides = [f"  model:  {firsts[0]}", f"  kernel: {firsts[1]}"]
    return Difference(False, [f"{difference.equal} events are the same; at {difference.at_s:.6f} s:", *sides])


def in_lockstep(theirs: xr.Dataset, scenario: Scenario) -> Iterator[str]:
    """How far the model's senders answer as the kernel's when they get the same ACKs, a line a TCP flow.

    Parameters
    ----------
    theirs : xarray.Dataset
        The kernel's run.
    scenario : Scenario
        What was run. Without a profile of Linux there is nothing to say: another TCP answers otherwise.

    Yields
    ------
    str
        For a person.
    """
    if scenario.profile.stack != "linux":
        return
    for number, flow in enumerate(scenario.flows, start=1):
        if isinstance(flow, TcpFlow):
            yield from _sender_lines(theirs, scenario, number, flow)
            yield from _receiver_lines(theirs, scenario, number)


def _sender_lines(theirs: xr.Dataset, scenario: Scenario, number: int, flow: TcpFlow) -> Iterator[str]:
    rules = variant_in(scenario.profile.stack, flow.rules())
    if rules.control.paces:
        yield f"lockstep, flow {number}: not compared: {rules.control.title} paces, and no ACK releases its segments"
        return
    comparison = lockstep(events_of(theirs, number), scenario, number, theirs.attrs["clock_origin_s"])
    yield f"lockstep, flow {number}: {comparison.same} of {comparison.acks} ACKs are answered as by the kernel"
    if event := comparison.parted:
        what = f"the model sends {[*comparison.ours]}, the kernel {[*event.answer]}"
        yield f"  the first other after {comparison.before}, at {event.at_s:.6f} s, {event.kind} {event.number}: {what}"


def _receiver_lines(theirs: xr.Dataset, scenario: Scenario, number: int) -> Iterator[str]:
    heard = answered_alike(arrivals_of(theirs, number), scenario, number)
    yield f"receiver, flow {number}: {heard.same} of {heard.arrivals} segments are answered as by the kernel"
    if heard.parted:
        yield f"  the first other one: segment {heard.parted.number} at {heard.parted.at_s:.6f} s"
