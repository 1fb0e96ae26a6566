"""Lockstep with kept runs of a Linux kernel: the model's sender answers every ACK as the kernel's did."""

import json
from pathlib import Path
from typing import Any

import pytest

from simcore import scenario_from
from tests.goldens import GOLDEN
from workbook.reading.lockstep import ACK, Event, Lockstep, lockstep
from workbook.reading.receivers import Answered, Arrival, answered_alike

RECORDS = sorted((GOLDEN / "lockstep").glob("*.json"))


def answered(record: dict[str, Any], **changes: object) -> Lockstep:
    events = [Event(*row) for row in record["events"]]
    scenario = scenario_from(record["scenario"] | changes)
    return lockstep(events, scenario, 1, record["clock_origin_s"])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_ack_is_answered_as_by_the_kernel(path: Path) -> None:
    record = json.loads(path.read_text())
    found = answered(record)
    assert found.acks > 300
    assert found == Lockstep(found.acks, found.acks)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_another_tcp_does_not(path: Path) -> None:
    found = answered(json.loads(path.read_text()), profile="ns-2.35")
    assert found.parted is not None
    assert list(found.ours) != found.parted.answer
    assert found.same < found.acks


def received(record: dict[str, Any], **changes: object) -> Answered:
    arrivals = [Arrival(*row) for row in record["arrivals"]]
    return answered_alike(arrivals, scenario_from(record["scenario"] | changes), 1)


def test_a_receiver_that_delays_acks_holds_back_what_the_kernels_did() -> None:
    """The record has a quick start, pushed segments, and two pauses after which ACKs are quick again."""
    record = json.loads((GOLDEN / "lockstep" / "delayed.json").read_text())
    assert received(record) == Answered(len(record["arrivals"]), len(record["arrivals"]), None)
    assert len(record["arrivals"]) > 500
    for without in ({"most_quick_acks": 0}, {"pushes_acknowledged": False}, {"min_rto_s": 0.4}):
        found = received(record, **without)
        assert found.parted is not None
        assert found.same < found.arrivals


def test_the_first_other_answer_is_found() -> None:
    record = json.loads(RECORDS[0].read_text())
    rows = [row for row in record["events"] if row[1] == ACK]
    rows[100][4] = [*rows[100][4], 9999]
    found = answered(record)
    assert found.same == 100
    assert found.parted is not None
    assert (found.parted.number, [*found.ours, 9999]) == (rows[100][2], found.parted.answer)
