"""CoDel, told by the sections of RFC 8289. The target is 5 ms, the interval 100 ms; a packet has 1000 bytes."""

from math import sqrt

import pytest

from simcore.rules.headers.ecn_bits import CAPABLE
from tests.simcore.queue_script import QueueScript

INTERVAL_S = 0.1
STEP_S = 0.00101  # between two departures, and a bit


def standing_queue(packets: int = 300) -> QueueScript:
    """Many packets came at once at 0; nothing has been sent yet."""
    queue = QueueScript("codel", buffer_packets=3000)
    for i in range(packets):
        queue.comes(str(i))
    return queue


def drop_times(queue: QueueScript, begin_s: float, end_s: float) -> list[float]:
    """When packets are dropped, the transmitter taking one every millisecond."""
    times: list[float] = []
    for step in range(round(begin_s * 1000), round(end_s * 1000)):
        before = len(queue.dropped)
        queue.sends(step / 1000)
        times += [step / 1000] * (len(queue.dropped) - before)
    return times


def test_a_queue_that_packets_pass_within_the_target_is_left_alone() -> None:
    queue = QueueScript("codel")
    for i in range(1000):
        queue.comes(f"a{i}", at_s=i * 0.001)
        queue.comes(f"b{i}", at_s=i * 0.001)
        assert queue.sends(i * 0.001 + 0.004) == f"a{i}"
        assert queue.sends(i * 0.001 + 0.0049) == f"b{i}"
    assert queue.dropped == []


def test_the_first_drop_comes_when_stays_were_too_long_for_a_whole_interval() -> None:
    """Section 5.5: the first packet that stayed for 5 ms, at 5 ms, starts the interval."""
    assert drop_times(standing_queue(), 0.0, 0.104) == []
    assert drop_times(standing_queue(), 0.0, 0.107) == pytest.approx([0.105], abs=STEP_S)


def test_a_single_short_stay_starts_the_interval_anew() -> None:
    queue = standing_queue(60)
    assert drop_times(queue, 0.0, 0.060) == []
    queue.comes("fresh", 0.060)
    queue.comes("behind it", 0.060)
    queue.comes("and behind that", 0.060)
    assert queue.sends(0.061) == "fresh"
    for i in range(200):
        queue.comes(str(i), 0.062)
    assert drop_times(queue, 0.070, 0.169) == []
    assert drop_times(queue, 0.169, 0.172) == pytest.approx([0.170], abs=STEP_S)


def test_drops_come_faster_with_the_square_root_of_their_number() -> None:
    """Section 5.6: the next drop is interval / sqrt(count) after the time of the one before, not after the drop."""
    due, expected = 0.105, []
    for count in range(1, 6):
        expected.append(due)
        due += INTERVAL_S / sqrt(count)
    times = drop_times(standing_queue(2000), 0.0, expected[-1] + 0.004)
    assert times == pytest.approx(expected, abs=3 * STEP_S)


def test_drops_that_are_overdue_are_made_up_for_in_one_departure() -> None:
    """Section 5.6: the loop runs for every time that is past: 205, 275.7, 333.4, 383.4 ms."""
    queue = standing_queue()
    drop_times(queue, 0.0, 0.107)
    before = len(queue.dropped)
    sent = queue.sends(0.390)
    assert len(queue.dropped) - before == 4
    assert sent == str(int(queue.dropped[-1]) + 1)


def test_dropping_ends_with_the_first_packet_that_stayed_for_less_than_the_target() -> None:
    queue = standing_queue(110)
    drop_times(queue, 0.0, 0.109)
    assert queue.sends(0.3) is None
    queue.comes("x", 0.4)
    queue.comes("y", 0.4)
    queue.comes("z", 0.4)
    before = len(queue.dropped)
    assert [queue.sends(0.401), queue.sends(0.402), queue.sends(0.403)] == ["x", "y", "z"]
    assert len(queue.dropped) == before


def test_dropping_that_begins_again_soon_goes_on_about_where_it_was() -> None:
    """Section 5.6: within 16 intervals the count begins with how far it had gone up, else with 1."""
    for pause_s, gap_s in ((0.3, INTERVAL_S / sqrt(3)), (3.0, INTERVAL_S)):
        queue = standing_queue(2000)
        assert len(drop_times(queue, 0.0, 0.340)) == 4  # the first, then three more
        while queue.sends(0.340) is not None:
            pass
        for i in range(1000):
            queue.comes(str(i), 0.340 + pause_s)
        first, second, *_ = drop_times(queue, 0.345 + pause_s, 0.345 + pause_s + 0.3)
        assert first == pytest.approx(0.445 + pause_s, abs=0.002)
        assert second - first == pytest.approx(gap_s, abs=STEP_S)


def test_the_last_packets_are_not_dropped_however_long_they_stay() -> None:
    """Section 5.5: no drop while what is left is no more than a packet of the largest size."""
    queue = QueueScript("codel", max_packet_bytes=1500)
    for at_s in range(10):
        queue.comes("a", float(at_s))
        queue.comes("b", float(at_s))
        assert [queue.sends(at_s + 0.8), queue.sends(at_s + 0.9)] == ["a", "b"]
    assert queue.dropped == []


def test_a_full_buffer_refuses_the_newcomer() -> None:
    queue = QueueScript("codel", buffer_packets=2)
    for name in "abc":
        queue.comes(name)
    assert queue.dropped == ["c"]
    assert queue.sends_all() == "a b"


def test_packets_that_may_be_marked_are_marked_when_they_would_be_dropped_and_sent() -> None:
    """RFC 8290, section 5.2.6. The times are those of drops."""
    queue = QueueScript("codel", buffer_packets=3000, marks=True)
    for i in range(2000):
        queue.comes(str(i), ecn=CAPABLE)
    times: list[float] = []
    for step in range(400):
        before = len(queue.marked)
        assert queue.sends(step / 1000) == str(step)
        times += [step / 1000] * (len(queue.marked) - before)
    assert queue.dropped == []
    assert times == pytest.approx(drop_times(standing_queue(2000), 0.0, 0.4), abs=STEP_S)


def test_one_packet_is_marked_for_a_departure_even_if_more_are_overdue() -> None:
    """Where drops would be made up for by four at once, the marked packet is the one that is sent."""
    queue = QueueScript("codel", buffer_packets=3000, marks=True)
    for i in range(300):
        queue.comes(str(i), ecn=CAPABLE)
    for step in range(107):
        queue.sends(step / 1000)
    assert [queue.sends(0.390), queue.sends(0.391)] == ["107", "108"]
    assert queue.marked == ["106", "107", "108"]


@pytest.mark.parametrize(("marks", "ecn"), [(True, 0), (False, CAPABLE)])
def test_others_are_dropped(marks: bool, ecn: int) -> None:
    queue = QueueScript("codel", buffer_packets=3000, marks=marks)
    for i in range(300):
        queue.comes(str(i), ecn=ecn)
    assert drop_times(queue, 0.0, 0.107) == pytest.approx([0.105], abs=STEP_S)
    assert queue.marked == []


def test_a_full_buffer_drops_what_may_be_marked() -> None:
    """RFC 3168, section 5: a mark takes the place of a drop that isn't needed for want of room."""
    queue = QueueScript("codel", buffer_packets=2, marks=True)
    for name in "abc":
        queue.comes(name, ecn=CAPABLE)
    assert (queue.dropped, queue.marked) == (["c"], [])
