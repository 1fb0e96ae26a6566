"""One to four packets of a window are lost: the story of K. Fall and S. Floyd, "Simulation-based Comparisons of Tahoe,
Reno, and SACK TCP", ACM Computer Communication Review 26 (3), 1996, section 5.

The scenarios are those of tests/golden/losses, whose traces ns-2 confirms: 15 segments are outstanding, 14 to 28, when
the first and up to three later ones are lost. A round trip takes 212 ms, and a timeout at least a second.
"""

from functools import cache

import numpy as np
import pytest
import xarray as xr

from simcore import load_scenario, simulate
from simcore.results.dataset import causes
from tests.goldens import GOLDEN

ROUND_TRIP_S = 0.212
LOST = {1: [14], 2: [14, 28], 3: [14, 26, 28], 4: [14, 24, 26, 28]}
every_number_of_losses = pytest.mark.parametrize("losses", LOST)


@cache
def run(variant: str, losses: int) -> xr.Dataset:
    return simulate(load_scenario(GOLDEN / "losses" / f"{variant}-{losses}.yaml"))


def count(dataset: xr.Dataset, cause: str) -> int:
    return int((causes(dataset).values == cause).sum())


def repairs(dataset: xr.Dataset) -> tuple[list[int], np.ndarray]:
    """Which segments were sent again, and when, counted in round trips since the first of them."""
    again = dataset.isel(packet=dataset["packet_retransmission"].values)
    times = again["packet_sent_s"].values
    return again["packet_seq"].values.tolist(), (times - times[0]) / ROUND_TRIP_S


@every_number_of_losses
@pytest.mark.parametrize("variant", ["tahoe", "reno", "newreno", "sack"])
def test_the_same_packets_of_one_window_are_lost_whatever_the_variant(variant: str, losses: int) -> None:
    dataset = run(variant, losses)
    lost = dataset.isel(packet=dataset["packet_dropped"].values)
    assert lost["packet_seq"].values.tolist() == LOST[losses]
    first_ack_of_the_lost = dataset["ack_arrived_s"].values[dataset["ack_number"].values >= 14][0]
    assert lost["packet_sent_s"].values.max() < first_ack_of_the_lost


@every_number_of_losses
def test_tahoe_slow_starts_after_one_fast_retransmit_and_sends_some_segments_twice(losses: int) -> None:
    dataset = run("tahoe", losses)
    assert (count(dataset, "fast_retransmit"), count(dataset, "timeout")) == (1, 0)
    cwnd = dataset["update_cwnd"].values
    assert cwnd[causes(dataset).values == "fast_retransmit"].tolist() == [1.0]
    again = repairs(dataset)[0]
    assert set(LOST[losses]) <= set(again)
    assert (len(again) > losses) == (losses > 1)  # it goes back and sends what had arrived, if more than one was lost


def test_reno_recovers_from_one_loss_without_slow_start() -> None:
    dataset = run("reno", 1)
    assert (count(dataset, "fast_retransmit"), count(dataset, "timeout")) == (1, 0)
    assert dataset["update_cwnd"].values[causes(dataset).values == "fast_retransmit"].tolist() == [7.5]


@pytest.mark.parametrize("losses", [2, 3, 4])
def test_reno_waits_for_the_timer_when_more_than_one_is_lost(losses: int) -> None:
    """The ACK of the first repair ends its recovery, and too few duplicate ACKs follow."""
    dataset = run("reno", losses)
    assert (count(dataset, "fast_retransmit"), count(dataset, "timeout")) == (1, 1)
    again, when = repairs(dataset)
    assert again[:2] == LOST[losses][:2]
    assert when[1] > 1.0 / ROUND_TRIP_S


@every_number_of_losses
def test_newreno_repairs_one_loss_a_round_trip_and_sends_nothing_twice_for_nothing(losses: int) -> None:
    dataset = run("newreno", losses)
    assert (count(dataset, "fast_retransmit"), count(dataset, "timeout")) == (1, 0)
    again, when = repairs(dataset)
    assert again == LOST[losses]
    # 0.4 % beside whole numbers: each repair is sent when the ACK of the one before it comes, unqueued.
    assert when == pytest.approx(np.arange(losses), rel=0.004)


@every_number_of_losses
def test_sack_repairs_all_losses_within_about_one_round_trip(losses: int) -> None:
    dataset = run("sack", losses)
    assert (count(dataset, "fast_retransmit"), count(dataset, "timeout")) == (1, 0)
    again, when = repairs(dataset)
    assert again == LOST[losses]
    assert when[-1] < 1.0


@pytest.mark.parametrize(("losses", "order"), [
    (1, ["tahoe", "sack", "reno"]),
    (2, ["reno", "tahoe", "newreno", "sack"]),
    (3, ["reno", "tahoe", "newreno", "sack"]),
    (4, ["reno", "tahoe", "newreno", "sack"]),
])  # fmt: skip
def test_with_more_losses_reno_is_worse_than_tahoe_and_sack_better_than_all(losses: int, order: list[str]) -> None:
    received = [int(run(variant, losses)["received"].sum()) for variant in order]
    assert received == sorted(received)


@every_number_of_losses
def test_vegas_repairs_up_to_three_of_its_eight_segments_without_a_timeout(losses: int) -> None:
    """It is not of the paper. With four lost, too few duplicate ACKs come to tell it even of the first."""
    dataset = run("vegas", losses)
    lost = dataset["packet_seq"].values[dataset["packet_dropped"].values]
    assert len(lost) == losses
    assert lost.max() - lost.min() < 8
    assert count(dataset, "timeout") == (losses == 4)
    assert set(lost) <= set(repairs(dataset)[0])
