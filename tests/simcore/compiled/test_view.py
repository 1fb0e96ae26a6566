"""What kernels are checked against is what they get: the fields of the records, and plain objects in their place."""

from types import SimpleNamespace
from typing import Any, get_type_hints

import numpy as np
import pytest

from simcore.compiled import interfaces, intrinsics, layout, marks, ring, tournament, view
from simcore.compiled.features import INTERFACES, RECORDING
from simcore.compiled.layout import NO_QUEUE, world_of
from simcore.network.topology import topology_of
from simcore.results.log import MARKED, Recording
from simcore.rules.headers.ecn_bits import CAPABLE, EXPERIENCED
from simcore.rules.headers.header import Header
from tests.simcore.scenes import scene, tcp_flow

KINDS = {"b": bool, "i": int, "u": int, "f": float}
RECORDED = world_of(SCENARIO := scene(tcp_flow()), topology_of(SCENARIO), Recording(states=True))


@pytest.mark.parametrize(
    ("seen", "dtype"),
    [
        (view.Run, layout.RUN), (view.Port, layout.EQUIPPED_PORT), (view.Flow, layout.FLOW),
        (view.LoggedPacket, layout.LOGGED_PACKET), (view.LoggedEvent, layout.LOGGED_EVENT),
        (view.LoggedUpdate, layout.LOGGED_UPDATE), (tournament.Leaf, tournament.LEAF),
        (view.Packet, RECORDED.ring.dtype), (view.RecordedState, RECORDED.states.dtype),
        (view.RecordedQueue, RECORDED.disciplines.dtype),
    ],
)  # fmt: skip
def test_a_record_has_the_fields_that_kernels_see(seen: type, dtype: np.dtype[Any]) -> None:
    of_features = {INTERFACES.field[0], RECORDING.field[0]}
    fields = {name: dtype[name] for name in dtype.names or () if name not in of_features}
    kinds = {name: Header if field.names is not None else KINDS[field.kind] for name, field in fields.items()}
    assert get_type_hints(seen) == kinds


def test_the_world_has_the_arrays_that_kernels_see() -> None:
    assert list(get_type_hints(view.World)) == list(layout.World._fields)


def world(*ports: SimpleNamespace, **run: object) -> Any:
    """A world that Python can run kernels on: objects in the place of records."""
    leaves = [SimpleNamespace(time=tournament.NEVER, id=0) for _ in range(4)]
    first = SimpleNamespace(now=1.0, now_id=5, id=7, recording=True, event=0, spare_events=1, crowded=False, **run)
    row = SimpleNamespace()
    return SimpleNamespace(
        run=[first], ports=list(ports), link_leaves=leaves, link_winner=[0, 0, 0, 2, 0, 1, 2, 3],
        events=[row, row, row], flows=[SimpleNamespace(marked=0, dropped=0)],
    )  # fmt: skip


def port(**changes: object) -> Any:
    usual = {"offered": 5, "taken": 2, "high": 3, "low": 1, "obeys": -1, "is_paused": False, "queue": NO_QUEUE}
    return SimpleNamespace(free_s=0.5, free_id=1, **usual | changes)


def test_a_queue_that_grew_pauses_its_feeders_and_one_that_shrank_wakes_them() -> None:
    full, feeder, stranger = port(), port(obeys=0), port()
    w = world(full, feeder, stranger)
    interfaces.queue_grew(full, w, 0)
    assert [interfaces.is_paused(each) for each in w.ports] == [False, True, False]
    interfaces.queue_shrank(full, w, 0)
    assert feeder.is_paused, "three packets wait still"
    full.taken = 4
    interfaces.queue_shrank(full, w, 0)
    assert not feeder.is_paused
    assert (w.link_leaves[2].time, w.link_winner[1]) == (1.0, 2), "its transmitter looks for work now"


def test_a_gap_is_kept_where_there_is_one() -> None:
    assert interfaces.busy_s(port(gap_s=0.2), 0.1) == 0.2
    assert interfaces.busy_s(port(gap_s=0.2), 0.3) == interfaces.transmission_only_s(port(), 0.3) == 0.3


def test_only_a_full_interface_that_refuses_its_senders_does() -> None:
    answers = [
        interfaces.refuses_segment(port(refuses_senders=refuses, limit=limit))
        for refuses, limit in [(True, 4), (True, 5), (False, 4)]
    ]
    assert answers == [True, False, False]


def test_a_port_without_a_queue_of_its_own_has_no_discipline() -> None:
    assert [ring.has_discipline(world(), port(queue=queue)) for queue in (NO_QUEUE, 0)] == [False, True]


def test_a_mark_is_written_into_header_total_and_log_once() -> None:
    w, header, queue = world(), Header(CAPABLE), SimpleNamespace(ecn=[CAPABLE | EXPERIENCED])
    packet: Any = SimpleNamespace(flow=0, uid=9, header=header)
    for _ in range(2):
        marks.tell_mark(header, packet, queue, w, 0, 0)  # type: ignore[arg-type]
    assert marks.flags_of(header) == CAPABLE | EXPERIENCED
    assert (w.flows[0].marked, w.run[0].event, w.events[0].kind, w.events[0].uid) == (1, 1, MARKED, 9)


def test_what_the_translation_does_python_refuses() -> None:
    with pytest.raises(TypeError, match="compiled code only"):
        intrinsics.copy_header(Header(), Header())
    with pytest.raises(TypeError, match="compiled code only"):
        intrinsics.copy_recorded(object(), object())
