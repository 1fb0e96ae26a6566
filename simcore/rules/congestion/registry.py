"""The congestion controls by name: every module of this folder with a NAME, and what `register` adds.

Those of a STACK, which no scenario names, take the place of others there: see `simcore.rules.stack`.
"""

from typing import Any, Final

from simcore.rules import congestion
from simcore.rules.congestion import standard
from simcore.rules.congestion.control import Control
from simcore.rules.modules import Rules, named_modules, refuse_other_states, state_of
from simcore.rules.recorded import recorded_of
from simcore.rules.tcp.sender import TcpState

CONTROLS: Final[dict[str, Control[Any]]] = {}
OF_STACKS: Final[dict[str, Control[Any]]] = {}


def register(name: str, rules: Rules) -> None:
    """Enter a control: a module, a namespace or a class with functions of the names of `Control`'s fields.

    It is told of new data past slow start; with OWN_SLOW_START of all, and then opens the window below ssthresh itself.
    What it doesn't define is as in standard TCP, and for a mark and a timeout as it is for a loss. Its `State` is a
    dataclass whose fields have default values of the types bool, int or float, or an `arrays(window)` gives them; with
    `Settings`, which a scenario may set, an `initial_state(settings, window)` makes it.

    Raises ValueError for a name that is none in Python: it becomes the name of a field; TypeError for a rule of another
    state than its own.
    """
    refuse_other_states(name, rules, Control)
    loss_detected = getattr(rules, "loss_detected", standard.loss_detected)
    entries = OF_STACKS if hasattr(rules, "STACK") else CONTROLS
    entries[name] = Control(
        name=name,
        title=getattr(rules, "NAME", f"TCP {name}"),
        recovery=getattr(rules, "RECOVERY", "reno"),
        recoveries=getattr(rules, "RECOVERIES", ()),
        stack=getattr(rules, "STACK", ""),
        stands_for=getattr(rules, "STANDS_FOR", ()),
        own_slow_start=getattr(rules, "OWN_SLOW_START", False),
        paces=hasattr(rules, "send_delay_s"),
        explanations=getattr(rules, "EXPLANATIONS", {}),
        recorded=recorded_of(name, rules),
        settings=getattr(rules, "Settings", None),
        state=state_of(name, rules),
        ack_arrived=getattr(rules, "ack_arrived", nothing_to_note),
        ack_taken_in=getattr(rules, "ack_taken_in", nothing_to_do),
        sets_window=getattr(rules, "sets_window", leaves_it_to_recovery),
        data_acknowledged=getattr(rules, "data_acknowledged", standard.data_acknowledged),
        loss_detected=loss_detected,
        loss_repeated=getattr(rules, "loss_repeated", loss_detected),
        congestion_notified=getattr(rules, "congestion_notified", loss_detected),
        timer_expired=getattr(rules, "timer_expired", loss_detected),
        round_trip_measured=getattr(rules, "round_trip_measured", no_use_for_time),
        segment_timed=getattr(rules, "segment_timed", no_use_for_time),
        segment_sent=getattr(rules, "segment_sent", nothing_to_note),
        send_delay_s=getattr(rules, "send_delay_s", at_once),
    )


def nothing_to_note(tcp: TcpState, state: object, seq: int, now: float) -> None:
    """An ACK came or a segment left: most controls need not know."""


def nothing_to_do(tcp: TcpState, state: object, now: float) -> None:
    """Recovery has taken in an ACK: most controls go by `data_acknowledged`."""


def leaves_it_to_recovery(tcp: TcpState, state: object) -> bool:
    """In recovery cwnd is the recovery's, as in all TCP but that of controls by rates."""
    return False


def no_use_for_time(tcp: TcpState, state: object, rtt_s: float, now: float) -> None:
    """A round trip took so long: most controls need not know."""


def at_once(tcp: TcpState, state: object, now: float) -> float:
    """The next segment may leave as soon as the window allows it."""
    return 0.0


for _name, _rules in named_modules(congestion).items():
    register(_name, _rules)

OURS: Final = frozenset(CONTROLS)


def registered_since() -> dict[str, Control[Any]]:
    """Controls that did not come with the workbook: somebody has written them and called `register`."""
    return {name: control for name, control in CONTROLS.items() if name not in OURS}
