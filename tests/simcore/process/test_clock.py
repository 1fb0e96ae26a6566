"""The order of what happens at one instant: mailboxes, timers, and times to the last bit."""

import ast
from collections.abc import Callable, Generator
from functools import partial
from math import nextafter
from pathlib import Path

import pytest
import simpy
from simpy.events import NORMAL, URGENT, Event, Timeout

import simcore.process
from simcore.process.clock import Environment, Mailbox, Timer, Until
from simcore.process.packet import Packet
from tests.simcore.process.alone import after


def packet(seq: int) -> Packet:
    return Packet(uid=seq, flow=1, seq=seq, bytes=1000)


class Reader:
    """A process that reads its mailbox, and is busy for a while with every message."""

    def __init__(self, env: Environment, busy: Callable[[], Event] | None = None) -> None:
        self.env = env
        self.busy = busy
        self.inbox = Mailbox(env)
        self.read: list[tuple[float, Packet | Timer]] = []
        env.process(self.run())

    def run(self) -> Generator[Event, Packet | Timer, None]:
        while True:
            message = yield self.inbox.next()
            self.read.append((self.env.now, message))
            if self.busy:
                yield self.busy()


# Success


@pytest.mark.parametrize(("kind", "order"), [(Environment, ["call", "due"]), (simpy.Environment, ["due", "call"])])
def test_what_succeeds_happens_before_what_is_due_at_the_same_instant(
    kind: Callable[[], Environment], order: list[str]
) -> None:
    """SimPy's own environment is the other way round."""
    env = kind()
    happened: list[str] = []
    call = Event(env)
    after(call, partial(happened.append, "call"))
    after(Timeout(env, 1.0), call.succeed)
    after(Timeout(env, 1.0), partial(happened.append, "due"))
    env.run()
    assert happened == order


def test_timeouts_happen_in_the_order_of_their_creation() -> None:
    env = Environment()
    happened: list[str] = []
    for name in "abc":
        after(Timeout(env, 1.0), partial(happened.append, name))
    env.run()
    assert happened == ["a", "b", "c"]


# Mailboxes


def test_two_messages_at_one_instant_are_both_read_in_their_order() -> None:
    env = Environment()
    reader = Reader(env)
    due = Timeout(env, 1.0)
    for seq in (1, 2, 3):
        after(due, partial(reader.inbox.put, packet(seq)))
    env.run()
    assert reader.read == [(1.0, packet(1)), (1.0, packet(2)), (1.0, packet(3))]


def test_a_message_to_a_busy_process_waits_for_its_turn() -> None:
    env = Environment()
    reader = Reader(env, busy=lambda: Timeout(env, 5.0))
    for at_s, seq in ((1.0, 1), (2.0, 2), (3.0, 3)):
        after(Timeout(env, at_s), partial(reader.inbox.put, packet(seq)))
    env.run()
    assert reader.read == [(1.0, packet(1)), (6.0, packet(2)), (11.0, packet(3))]


def test_a_message_is_read_before_what_is_due_at_the_same_instant() -> None:
    env = Environment()
    reader, unread = Reader(env), []
    after(Timeout(env, 1.0), partial(reader.inbox.put, packet(1)))
    after(Timeout(env, 1.0), lambda: unread.append(1 - len(reader.read)))
    env.run()
    assert unread == [0]


# Timers


def rings(*actions: tuple[float, float | None]) -> list[float]:
    """When a timer rings that is started (with a delay) or stopped (without one) at these times."""
    env = Environment()
    reader = Reader(env)
    timer = Timer(env, reader.inbox)
    for at_s, delay_s in actions:
        after(Timeout(env, at_s), timer.stop if delay_s is None else partial(timer.start, delay_s))
    env.run()
    assert {message for _, message in reader.read} <= {timer}
    return [at_s for at_s, _ in reader.read]


def test_a_timer_rings_once() -> None:
    assert rings((1.0, 2.0)) == [3.0]
    assert rings((1.0, 2.0), (4.0, 2.0)) == [3.0, 6.0]


def test_a_timer_that_is_started_anew_forgets_its_old_time() -> None:
    assert rings((1.0, 2.0), (2.0, 5.0)) == [7.0]  # later
    assert rings((1.0, 9.0), (2.0, 1.0)) == [3.0]  # or earlier


def test_a_timer_that_is_stopped_does_not_ring() -> None:
    assert rings((1.0, 2.0), (2.0, None)) == []
    assert rings((1.0, 2.0), (2.0, None), (2.5, 4.0)) == [6.5]


def test_at_the_very_time_it_rings_if_that_was_scheduled_first() -> None:
    """The actions are scheduled before the run; a timeout of the timer's, in the course of it."""
    assert rings((1.0, 2.0), (3.0, None)) == []
    assert rings((1.0, 2.0), (nextafter(3.0, 4.0), None)) == [3.0]


# Times


def test_until_is_exact() -> None:
    env, at_s = Environment(0.2), 0.9
    assert env.now + (at_s - env.now) != at_s  # what a delay gives
    Timeout(env, Until(at_s))
    assert env.peek() == at_s


def test_some_times_are_the_sum_of_no_delay() -> None:
    now, at_s = 2.0**-53, 1.0 + 2.0**-52
    delay_s = at_s - now
    nearby = [delay_s, nextafter(delay_s, 0.0), nextafter(delay_s, 2.0)]
    assert at_s not in [now + s for s in nearby]
    env = Environment(now)
    Timeout(env, Until(at_s))
    assert env.peek() == at_s


# SimPy


def private_names(source: str) -> set[str]:
    """Attributes of others that begin with an underscore; `_replace` is a named tuple's, and public."""
    attributes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute))
    return {node.attr for node in attributes if node.attr.startswith("_") and not node.attr.startswith("__")} - {
        "_replace"
    }


def test_nothing_private_of_simpys_is_used_but_in_the_line_that_is_its_own() -> None:
    files = sorted(Path(simcore.process.__file__).parent.glob("*.py"))
    used = {file.name: names for file in files if (names := private_names(file.read_text()))}
    assert used == {"clock.py": {"_queue", "_now", "_eid"}}


def test_schedule_is_simpys_own_but_for_its_default() -> None:
    """If another SimPy does it in another way, this says so, and ours has to follow."""
    ours, theirs = (kind.schedule for kind in (Environment, simpy.Environment))
    assert ours.__code__.co_code == theirs.__code__.co_code
    assert ours.__code__.co_names == theirs.__code__.co_names
    assert (ours.__defaults__, theirs.__defaults__) == ((URGENT, 0), (NORMAL, 0))


def test_private_names_are_found() -> None:
    assert private_names("event._ok = True\nheappush(env._queue, next(env._eid))\nsuper().__init__()") == {
        "_ok",
        "_queue",
        "_eid",
    }
