"""What rules record of their states: seen from outside, in both engines, and paid for only if it is asked for."""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from simcore import EVERYTHING, TOTALS, Recording, metrics, scenario_from, simulate
from simcore.compiled import loop, machine_code, object_code
from simcore.compiled.layout import UNRECORDED, world_of
from simcore.network.topology import topology_of
from simcore.results.tree import dataset_of, tree_of
from simcore.rules.congestion.registry import CONTROLS, OF_STACKS
from simcore.rules.congestion.registry import register as register_control
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.recovery.registry import RECOVERIES
from simcore.rules.variants import VARIANTS
from tests.simcore.scenes import bottleneck, mapping, scene, tcp_flow, udp_flow

STATES = Recording(states=True)
LINK = {"rate_mbps": 2, "delay_ms": 5}
SENDERS = [tcp_flow(variant=name, start_s=0.1 * i) for i, name in enumerate(VARIANTS)]


@pytest.mark.parametrize(("profile", "queue"), [("rfc", "red"), ("linux", "pie"), ("rfc", "sfq")])
def test_engines_record_the_same(profile: str, queue: str) -> None:
    """In a row of links: a queue that may record something, then drop-tail, and CoDel, which has no number for all."""
    onward = [{**LINK, "queue": "droptail", "buffer_packets": 8}, {**LINK, "queue": "codel"}]
    given = mapping(*SENDERS, udp_flow(rate_mbps=0.1), profile=profile, end_s=4)
    scenario = scenario_from(given | {"bottleneck": {**LINK, "queue": queue}, "onward": onward})
    process, compiled = (simulate(scenario, engine, STATES) for engine in ("process", "compiled"))
    assert process.sizes["state"] > 500
    xr.testing.assert_identical(process.drop_attrs(), compiled.drop_attrs())


def test_a_plateau_is_the_window_at_the_loss() -> None:
    run = simulate(scene(tcp_flow(variant="cubic", lost_packets=[30]), end_s=4), "compiled", STATES)
    plateau = metrics.sender_state(run, 1, "cubic_plateau")
    before_loss = run["update_cwnd"].values[run["update_cause"].values == 5] / 0.7  # RFC 9438: what beta left of it
    assert plateau.attrs["units"] == "packets"
    assert set(np.unique(plateau)) == {0.0, *before_loss[:1]}
    assert (np.diff(plateau["time_s"]) >= 0).all()


def test_what_a_queue_goes_by_is_told_of_its_link() -> None:
    run = simulate(scene(tcp_flow(), bottleneck=bottleneck(queue="red", buffer_packets=20)), "process", STATES)
    average = metrics.queue_state(run, "red_average")
    assert average.size == int((run["packet_enqueued_s"] >= 0).sum())
    assert 0 < float(average.max()) <= 20
    assert metrics.queue_state(run, "red_average", link=2).size == 0


def test_nothing_is_paid_where_nobody_asks() -> None:
    scenario = scene(tcp_flow(variant="cubic"))
    world = world_of(scenario, topology_of(scenario), EVERYTHING)
    assert world.states.dtype == world.disciplines.dtype == UNRECORDED
    assert not [name for name in simulate(scenario, "compiled").data_vars if str(name).startswith(("state", "disc"))]
    asked = world_of(scenario, topology_of(scenario), STATES)
    texts = [object_code.translated(each, machine_code.this_machine(), loop.run_events) for each in (world, asked)]
    assert ["note_state" in text for text in texts] == [False, True]


def test_a_flow_of_other_rules_has_no_such_state_and_a_name_that_there_is_not_is_answered() -> None:
    run = simulate(scene(tcp_flow(variant="cubic"), tcp_flow(variant="reno"), end_s=2), "compiled", STATES)
    assert metrics.sender_state(run, 1, "cubic_plateau").size > 0
    assert metrics.sender_state(run, 2, "cubic_plateau").size == 0
    with pytest.raises(KeyError, match=r"'cubic_platou' is not recorded; recorded: .*cubic_plateau"):
        metrics.sender_state(run, 1, "cubic_platou")


@pytest.mark.parametrize("recording", [EVERYTHING, TOTALS])
def test_what_was_not_recorded_says_how_to(recording: Recording) -> None:
    run = simulate(scene(), recording=recording)
    with pytest.raises(KeyError, match=r"was not recorded: simulate\(..., recording=Recording\(states=True\)\)"):
        metrics.sender_state(run, 1, "cubic_plateau")


def test_states_are_groups_of_a_tree() -> None:
    run = simulate(scene(tcp_flow(variant="sack")), "compiled", Recording(packets=False, states=True))
    tree = tree_of(run)
    assert tree["states/sack_pipe"].dims == ("state",)
    xr.testing.assert_identical(dataset_of(tree), run)


def test_a_kernel_has_no_states() -> None:
    with pytest.raises(ValueError, match="must be recorded with process or compiled"):
        simulate(scene(), "kernel", STATES)


def test_rules_name_fields_that_their_state_has() -> None:
    with pytest.raises(TypeError, match=r"wrong\.RECORDED names speed; its state has no fields"):
        register_control("wrong", SimpleNamespace(RECORDED={"speed": ("speed", "packets/s")}))
    assert "wrong" not in CONTROLS


def test_no_two_columns_have_one_name() -> None:
    controls = [(rules.name, rules.recorded) for rules in (*CONTROLS.values(), *OF_STACKS.values())]
    recoveries = [(rules.name, rules.recorded) for rules in RECOVERIES.values()]
    columns = [f"{name}_{field}" for name, recorded in controls + recoveries for field in recorded]
    assert len(columns) == len(set(columns)) > 5
    assert any(rules.recorded for rules in DISCIPLINES.values())
