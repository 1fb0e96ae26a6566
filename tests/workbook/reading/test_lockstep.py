"""Lockstep with kept runs of a Linux kernel: the model's sender answers every ACK as the kernel's did."""

import json
from pathlib import Path
from typing import Any

import pytest

from simcore import scenario_from, simulate
from tests.goldens import GOLDEN
from tests.simcore.scenes import mapping, scene, tcp_flow
from workbook.chapters.twenty_years_later import in_lockstep
from workbook.paths import REPO
from workbook.reading.beside import in_lockstep as in_lockstep_with
from workbook.reading.lockstep import ACK, START, Event, Lockstep, lockstep
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
    assert found == Lockstep(found.acks, found.acks, found.acks)


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
    again = rows[100][2] + 1
    rows[100][4] = [*rows[100][4], again]
    found = answered(record)
    assert found.before == 100
    assert found.parted is not None
    assert (found.parted.number, [*found.ours, again]) == (rows[100][2], found.parted.answer)


def test_after_another_answer_the_sender_goes_on_from_what_the_kernel_sent() -> None:
    """One segment leaves with the next answer instead: the model sends it at once, and then what the kernel sent."""
    record = json.loads((GOLDEN / "lockstep" / "newreno.json").read_text())
    rows = [row for row in record["events"] if row[1] == ACK]
    place = next(i for i in range(100, len(rows)) if len(rows[i][4]) == 1 == len(rows[i + 1][4]))
    late = rows[place][4].pop()
    rows[place + 1][4].insert(0, late)
    found = answered(record)
    assert (found.before, found.same) == (place, found.acks - 1)
    assert list(found.ours) == [late]


def test_what_the_receiver_has_no_room_for_is_not_sent() -> None:
    """As delivered the kernel's receiver tells of other windows than the scenario's: see `in_lockstep`."""
    said = mapping(tcp_flow(variant="newreno", window_packets=20), profile="linux", end_s=1.0)
    start = Event(0.1, START, -1, 0.1, (0,))

    def sent(*windows: int) -> Lockstep:
        acks = [Event(0.2 + i, ACK, i, 0.2 + i, (1, 2, 3) if i == 0 else (), (), w) for i, w in enumerate(windows)]
        return lockstep([start, *acks], scenario_from(said), 1)

    assert sent(3) == Lockstep(1, 1, 1)
    assert sent(2).ours == [1, 2]


def test_the_table_of_the_documentation_is_what_the_kept_records_give() -> None:
    """It fails when the model gets worse, or better: `python -m workbook.chapters.twenty_years_later.in_lockstep`."""
    records = in_lockstep.read(GOLDEN / "lockstep" / "tables.json.xz")
    asked = {(case, sender): scenario.to_mapping() for case, sender, scenario in in_lockstep.scenarios()}
    assert {(record["case"], record["sender"]): record["scenario"] for record in records} == asked
    made = in_lockstep.table(records)
    assert made in (REPO.root / "docs" / "design.md").read_text("utf-8")
    assert made.count("| 100 ") >= 33


def test_a_paced_control_is_not_compared() -> None:
    """No ACK releases its segments: each would count as answered otherwise."""
    paced = scene(tcp_flow(variant="bbr"), profile="linux", end_s=1)
    told = next(iter(in_lockstep_with(simulate(paced, "compiled"), paced)))
    assert told == "lockstep, flow 1: not compared: BBR paces, and no ACK releases its segments"
