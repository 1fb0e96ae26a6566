"""Causes have numbers that rules can write; one that is entered twice stays itself."""

import pytest

from simcore import Recording, simulate
from simcore.results.log import is_worth_keeping
from simcore.rules import causes
from simcore.rules.causes import CAUSES, USUAL, cause
from simcore.rules.tcp.sender import CONGESTION_AVOIDANCE, FAST_RETRANSMIT
from tests.simcore.scenes import scene, tcp_flow


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that nobody else sees."""
    monkeypatch.setattr(causes, "CAUSES", CAUSES[:])
    monkeypatch.setattr(causes, "USUAL", USUAL[:])


@pytest.mark.usefixtures("apart")
def test_a_new_cause_has_the_next_number_and_keeps_it() -> None:
    assert cause("path_followed") == len(CAUSES)
    assert cause("path_followed") == len(CAUSES)
    assert cause("fast_retransmit") == FAST_RETRANSMIT


@pytest.mark.usefixtures("apart")
def test_a_usual_one_is_thinned_out_and_another_never() -> None:
    usual, event = cause("path_followed", is_usual=True), cause("path_left")
    assert (usual in causes.USUAL, event in causes.USUAL) == (True, False)
    assert not is_worth_keeping(CONGESTION_AVOIDANCE, 0.1, 1.0)
    assert is_worth_keeping(CONGESTION_AVOIDANCE, 1.0, 1.0)
    assert is_worth_keeping(FAST_RETRANSMIT, 0.0, 1.0)


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("name", ["path followed", "", "1st"])
def test_a_name_that_a_dataset_could_not_hold_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="must be letters, digits and _"):
        cause(name)


@pytest.mark.usefixtures("apart")
def test_there_are_no_more_than_a_byte_can_tell() -> None:
    for number in range(len(CAUSES), causes.MOST):
        cause(f"cause_{number}")
    with pytest.raises(ValueError, match="at most 256"):
        cause("one_more")


@pytest.mark.parametrize("engine", ["process", "compiled"])
def test_what_is_counted_does_not_hang_on_what_is_recorded(engine: str) -> None:
    """Repairs are counted by the rules themselves; that a log leaves out changes says nothing of them."""
    scenario = scene(tcp_flow(variant="sack", window_packets=60), tcp_flow(variant="tahoe", window_packets=60))
    for recording in (Recording(), Recording(packets=False, window_interval_s=float("inf"))):
        run = simulate(scenario, engine, recording)
        assert run["fast_retransmits"].values.min() > 0
        told = run["update_flow"].values[run["update_cause"].values == FAST_RETRANSMIT]
        assert [int((told == flow).sum()) for flow in (1, 2)] == run["fast_retransmits"].values.tolist()
