"""The processes of the round model: who acts when, and what pauses do."""

import pytest

from simcore.rounds import simulate_rounds
from simcore.rounds.metrics import acked_bytes, rounds_of, utilisation_percent
from tests.simcore.rounds.scenes import over_seeds, paused, single, two

RESUMED = 150


def test_the_first_rounds_of_a_sender_alone() -> None:
    """Eight segments find seven places, and one is lost; its round of 14 loses seven more, less one that strays."""
    dataset = simulate_rounds(single(rounds=6)).sel(sender=1)
    assert dataset["cwnd"].values.tolist() == [1024, 2048, 4096, 8192, 15360, 1024]
    assert dataset["segments"].values.tolist() == [1, 2, 4, 8, 14, 1]
    assert dataset["dropped_segments"].values.tolist() == [0, 0, 0, 1, 6, 0]
    assert dataset["acked_bytes"].values.tolist() == [1024 * n for n in (0, 1, 3, 7, 14, 14)]


def test_acks_of_the_last_round_are_never_read() -> None:
    assert [int(acked_bytes(simulate_rounds(single(rounds=n)))[0]) for n in (1, 2, 3)] == [0, 1024, 3072]


def test_before_its_start_a_sender_is_absent() -> None:
    dataset = simulate_rounds(two("literal", start=3, rounds=10))
    assert rounds_of(dataset, 2, "absent").tolist() == [0, 1, 2]
    assert dataset["cwnd"].sel(sender=2).values[:5].tolist() == [0, 0, 0, 1024, 2048]


def test_neither_sender_of_a_fair_start_is_favored() -> None:
    totals = [acked_bytes(run).values for run in over_seeds(two("literal", start=0), 40)]
    first, second = (sum(int(total[i]) for total in totals) for i in (0, 1))
    assert first == pytest.approx(second, rel=0.02)


# Case 2: a dropped connection


def test_a_dropped_connection_is_absent_and_comes_back_as_new() -> None:
    dataset = simulate_rounds(paused("literal", "dropped"))
    own = dataset.sel(sender=2)
    assert rounds_of(dataset, 2, "absent").tolist() == [0, 1, 2, *range(100, RESUMED)]
    assert own["acked_bytes"].values[99] > 100_000
    fresh = own.sel(round=[RESUMED, RESUMED + 1])
    assert fresh["cwnd"].values.tolist() == [1024, 2048]
    assert fresh["ssthresh"].values.tolist() == [65535, 65535]
    assert fresh["acked_bytes"].values.tolist() == [0, 1024]


def test_what_was_acknowledged_before_counts_only_if_asked_for() -> None:
    dataset = simulate_rounds(paused("literal", "dropped"))
    acked = dataset["acked_bytes"].sel(sender=2).values
    assert int(acked_bytes(dataset)[1]) == acked[-1]
    assert int(acked_bytes(dataset, all_sessions=True)[1]) == acked[-1] + acked[99]
    assert acked_bytes(dataset)[0] == acked_bytes(dataset, all_sessions=True)[0]


def test_utilisation_over_the_rounds_of_a_connection_leaves_out_those_of_its_absence() -> None:
    dataset = simulate_rounds(paused("literal", "dropped"))
    assert dataset["utilisation_percent"].equals(utilisation_percent(dataset))
    ratio = utilisation_percent(dataset, while_connected=True) / utilisation_percent(dataset)
    assert ratio.values.tolist() == pytest.approx([1, 300 / 247])


# Case 3: a connection kept alive


def test_a_kept_connection_sends_one_byte_a_round_and_holds_its_window() -> None:
    dataset = simulate_rounds(paused("literal", "kept_alive"))
    own = dataset.sel(sender=2, round=slice(100, RESUMED - 1))
    assert rounds_of(dataset, 2, "keep_alive").tolist() == list(range(100, RESUMED))
    assert (own["sent_bytes"] == 1).all()
    assert len({(int(c), int(s)) for c, s in zip(own["cwnd"], own["ssthresh"], strict=True)}) == 1


def test_it_resumes_with_the_window_it_had_before_reading_its_last_ack() -> None:
    for run in over_seeds(paused("fitted", "kept_alive"), 20):
        own = run.sel(sender=2)
        kept, resumed = own.sel(round=RESUMED - 1), own.sel(round=RESUMED)
        if resumed["loss"]:
            assert int(resumed["ssthresh"]) == max(int(kept["cwnd"]) // 2, 2048)
        else:
            assert int(resumed["ssthresh"]) == int(kept["ssthresh"])
            assert 0 <= int(resumed["cwnd"]) - int(kept["cwnd"]) <= 1024


@pytest.mark.parametrize("connection", ["dropped", "kept_alive"])
def test_a_pause_of_one_round(connection: str) -> None:
    pause = {"connection": connection, "first_round": 20, "last_round": 20}
    dataset = simulate_rounds(two("literal", idle=pause, rounds=40))
    kind = "absent" if connection == "dropped" else "keep_alive"
    assert [when for when in rounds_of(dataset, 2, kind) if when > 3] == [20]


@pytest.mark.parametrize("connection", ["dropped", "kept_alive"])
def test_a_pause_that_outlasts_the_run(connection: str) -> None:
    pause = {"connection": connection, "first_round": 20, "last_round": 500}
    dataset = simulate_rounds(two("literal", idle=pause, rounds=40))
    kind = "absent" if connection == "dropped" else "keep_alive"
    assert [when for when in rounds_of(dataset, 2, kind) if when > 3] == list(range(20, 40))
