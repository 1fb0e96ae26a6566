"""What holds in every scenario of the round model, however odd."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simcore.rounds import RoundsScenario, rounds_scenario_from, simulate_rounds
from simcore.rounds.metrics import acked_bytes, utilisation_percent
from simcore.rounds.rules.router import READINGS, relay
from simcore.rounds.rules.sender import ABSENT, Burst

ROUNDS = 80


def pauses() -> st.SearchStrategy[dict[str, object]]:
    """A pause somewhere in the run, or beyond its end."""
    return st.builds(
        lambda connection, first, length: {
            "connection": connection,
            "first_round": first,
            "last_round": first + length,
        },
        st.sampled_from(["dropped", "kept_alive"]),
        st.integers(21, ROUNDS),
        st.integers(0, ROUNDS),
    )


def scenarios() -> st.SearchStrategy[RoundsScenario]:
    """One or two senders, in any reading and under any rule."""
    sender = st.fixed_dictionaries({"start_round": st.integers(0, 20)}, optional={"idle": pauses()})
    senders = st.lists(sender, min_size=1, max_size=2)
    common = {
        "rounds": st.integers(21, ROUNDS),
        "mismatch": st.integers(2, 25),
        "buffer_segments": st.integers(1, 25),
        "mss_bytes": st.sampled_from([64, 536, 1000, 1024, 32768]),
        "seed": st.integers(0, 1000),
        "eighth_added": st.booleans(),
        "go_back_n": st.booleans(),
        "holes_skipped": st.booleans(),
    }
    shared = st.fixed_dictionaries(common | {"reading": st.sampled_from(["literal", "fitted"]), "senders": senders})
    original = st.fixed_dictionaries(common | {"reading": st.just("original"), "senders": st.tuples(sender)})
    return (shared | original).map(rounds_scenario_from)


@given(scenarios())
def test_every_run_conserves_bytes_and_never_takes_an_ack_back(scenario: RoundsScenario) -> None:
    """Conservation is checked by the simulation itself."""
    dataset = simulate_rounds(scenario)
    present = dataset["sent_kind"].values != ABSENT
    acked = np.where(present, dataset["acked_bytes"].values, 0)
    taken_back = (np.diff(acked, axis=1) < 0) & present[:, 1:]
    assert not taken_back.any()
    assert (acked[:, 1:] <= dataset["in_order_bytes"].values[:, :-1])[present[:, 1:]].all()


@given(scenarios())
def test_windows_stay_within_their_bounds(scenario: RoundsScenario) -> None:
    dataset = simulate_rounds(scenario)
    present = dataset["sent_kind"] != ABSENT
    mss = scenario.mss_bytes
    assert ((dataset["cwnd"] >= mss) | ~present).all()
    assert ((dataset["effective_window"] >= 1) | ~present).all()
    assert ((dataset["ssthresh"] >= 2 * mss) | (dataset["ssthresh"] == 65535) | ~present).all()
    assert ((dataset["segments"] >= 1) == present).all()
    assert (dataset["dropped_segments"] <= dataset["segments"]).all()


@given(scenarios())
def test_a_seed_is_a_run(scenario: RoundsScenario) -> None:
    assert simulate_rounds(scenario).identical(simulate_rounds(scenario))


@given(scenarios())
def test_utilisation_counts_more_with_all_sessions_and_fewer_rounds(scenario: RoundsScenario) -> None:
    dataset = simulate_rounds(scenario)
    assert (acked_bytes(dataset, all_sessions=True) >= acked_bytes(dataset)).all()
    assert (utilisation_percent(dataset, while_connected=True) >= utilisation_percent(dataset)).all()


@given(
    reading=st.sampled_from(["literal", "fitted"]),
    lengths=st.lists(st.integers(0, 40), min_size=1, max_size=2),
    buffer=st.integers(1, 20),
    mismatch=st.integers(2, 25),
    chances=st.lists(st.booleans(), min_size=40, max_size=40),
)
def test_the_shared_router_judges_every_segment_and_passes_no_more_than_it_has_places(
    reading: str, lengths: Sequence[int], buffer: int, mismatch: int, chances: Sequence[bool]
) -> None:
    """One more for every release, two in the fitted reading."""
    slots = max(lengths)
    draws = [0.25 if first else 0.75 for first in chances[:slots]]
    bursts = [Burst(count=length) for length in lengths]
    assert relay(READINGS[reading].rule, bursts, draws, 0, buffer, mismatch) == slots
    assert sum(sum(burst.passed) for burst in bursts) <= buffer + 2 * (1 + slots // mismatch)


@given(scenarios(), st.integers(0, 1000))
def test_a_run_in_which_chance_decided_nothing_is_the_same_with_every_seed(scenario: RoundsScenario, seed: int) -> None:
    run, other = simulate_rounds(scenario), simulate_rounds(scenario.model_copy(update={"seed": seed}))
    if not run["outdrawn_segments"].any():
        assert other.equals(run)
