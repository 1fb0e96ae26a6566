"""Utilisation against buffer: why it falls, as facts about one sender at mismatch 20 in 1000 rounds."""

from collections.abc import Mapping

import numpy as np
import pytest

from simcore.rounds import simulate_rounds
from simcore.rounds.metrics import acked_bytes, avoidance_begins, rounds_of
from tests.simcore.rounds.goldens import table
from tests.simcore.rounds.scenes import single

BUFFERS = range(6, 19)
MSS = 1024


def swept(**options: object) -> tuple[list[float], list[int]]:
    """Packets a round at the least and greatest buffer, and the whole percentages of all."""
    runs = [simulate_rounds(single(20, buffer, 1000, **options)) for buffer in BUFFERS]
    packets = [round(int(acked_bytes(run)[0]) / MSS / 1000, 2) for run in (runs[0], runs[-1])]
    return packets, [round(float(run["utilisation_percent"][0])) for run in runs]


@pytest.mark.parametrize("row", table("case6_single"), ids=lambda row: f"buffer-{row['buffer']}")
def test_bytes_stay_flat_because_recovery_takes_most_of_a_cycle(row: Mapping[str, str]) -> None:
    dataset = simulate_rounds(single(20, int(row["buffer"]), 1000))
    total = int(acked_bytes(dataset)[0])
    assert total == int(row["bytes_1000_rounds"])
    assert f"{float(dataset['utilisation_percent'][0]):.2f}" == row["utilisation_percent"]
    assert f"{100 * total / (19 * MSS * 1000):.2f}" == f"{float(row['utilisation_if_fixed_19MSS']):.2f}"

    begin, end = avoidance_begins(dataset, 1)[-3:-1]  # one steady cycle
    bursts, repairs = (
        [when for when in rounds_of(dataset, 1, kind) if begin <= when < end] for kind in ("burst", "retransmission")
    )
    own = dataset.sel(sender=1)
    found = {
        "cycle_rounds": end - begin,
        "rounds_without_new_full_segment": end - begin - len(bursts),
        "retransmissions_per_cycle": len(repairs),
        "full_segments_per_cycle": int(own["segments"].sel(round=bursts).sum()),
        "peak_cwnd_mss": round(int(own["cwnd"].sel(round=slice(begin, end)).max()) / MSS, 2),
    }
    assert {name: float(value) for name, value in found.items()} == {name: float(row[name]) for name in found}


def test_as_it_is_utilisation_falls_from_37_to_19() -> None:
    packets, percent = swept()
    assert packets == [2.58, 3.56]
    assert percent == [37, 29, 35, 29, 27, 24, 28, 22, 24, 20, 20, 22, 19]


@pytest.mark.parametrize(
    ("options", "packets", "ends", "extremes"),
    [
        ({"eighth_added": False}, [3.0, 7.81], (43, 41), (41, 48)),
        ({"go_back_n": True}, [3.99, 9.96], (57, 52), (52, 58)),
        ({"eighth_added": False, "go_back_n": True}, [4.27, 11.76], (61, 62), (60, 63)),
    ],
)
def test_either_change_makes_bytes_grow_with_the_buffer(
    options: dict[str, bool], packets: list[float], ends: tuple[int, int], extremes: tuple[int, int]
) -> None:
    found, percent = swept(**options)
    assert found == packets
    assert (percent[0], percent[-1]) == ends
    assert (min(percent), max(percent)) == extremes


def test_reading_the_acks_behind_a_hole_changes_nothing() -> None:
    assert swept(holes_skipped=True) == swept()


def test_every_cycle_with_two_losses_climbs_the_same_ramp() -> None:
    """ssthresh has fallen to its least when the last loss is repaired, however high the window was."""
    ramp = [3541, 4725, 6040, 7472, 9258, 11335, 13670, 16246, 19056, 22271]
    dataset = simulate_rounds(single(20, 18, 1000))
    begin = avoidance_begins(dataset, 1)[-2]
    windows = dataset["cwnd"].sel(sender=1, round=slice(begin - 1, begin + 9)).values
    assert windows.tolist() == [2048, *ramp]
    assert np.unique(dataset["ssthresh"].sel(sender=1, round=slice(begin - 1, begin + 9))).tolist() == [2048]
