"""The loss recoveries by name: every module of this folder with a NAME, and what `register` adds.

Those of a STACK, which no scenario names, take the place of others there: see `simcore.rules.stack`.
"""

from typing import Any, Final

from simcore.rules import recovery
from simcore.rules.modules import Rules, named_modules, refuse_other_states, state_of
from simcore.rules.recorded import recorded_of
from simcore.rules.recovery.recovery import Recovery
from simcore.rules.tcp import rto, sender

RECOVERIES: Final[dict[str, Recovery[Any]]] = {}
OF_STACKS: Final[dict[str, Recovery[Any]]] = {}


def register(name: str, rules: Rules) -> None:
    """Enter a recovery: a module, a namespace or a class with functions of the names of `Recovery`'s fields.

    `ack_arrived` and `timer_expired` are its own; what else it doesn't define is as in Reno. Its `State` is a
    dataclass whose fields have default values of the types bool, int or float, or an `arrays(window)` gives them.

    Raises ValueError for a name that is none in Python: it becomes the name of a field; TypeError for a rule of another
    state than its own.
    """
    refuse_other_states(name, rules, Recovery)
    entries = OF_STACKS if hasattr(rules, "STACK") else RECOVERIES
    entries[name] = Recovery(
        name=name,
        title=getattr(rules, "NAME", f"TCP {name}"),
        control=getattr(rules, "CONTROL", "standard"),
        stack=getattr(rules, "STACK", ""),
        stands_for=getattr(rules, "STANDS_FOR", ()),
        explanations=getattr(rules, "EXPLANATIONS", {}),
        recorded=recorded_of(name, rules),
        state=state_of(name, rules),
        selective_acks=getattr(rules, "SELECTIVE_ACKS", False),
        knows_ecn=getattr(rules, "KNOWS_ECN", True),
        counts_headers=getattr(rules, "COUNTS_HEADERS", True),
        creation_draws=getattr(rules, "CREATION_DRAWS", 1),
        ack_arrived=rules.ack_arrived,  # type: ignore[union-attr]  # mypy: a class may have none
        timer_expired=rules.timer_expired,  # type: ignore[union-attr]
        may_send=getattr(rules, "may_send", sender.may_send),
        next_segment=getattr(rules, "next_segment", sender.next_segment),
        segment_sent=getattr(rules, "segment_sent", sender.segment_sent),
        in_flight=getattr(rules, "in_flight", all_but_inflation),
        is_recovering=getattr(rules, "is_recovering", is_behind_loss),
        losses=getattr(rules, "losses", uncounted),
        timer_s=getattr(rules, "timer_s", timeout_s),
    )


def all_but_inflation(tcp: sender.TcpState, state: object) -> int:
    """Segments sent and not acknowledged, less those that duplicate ACKs stand for."""
    return sender.outstanding(tcp) - tcp.inflation


def is_behind_loss(tcp: sender.TcpState, state: object) -> bool:
    """Is something that was outstanding at the last loss not acknowledged yet?"""
    return tcp.highest_ack < tcp.recover


def uncounted(tcp: sender.TcpState, state: object) -> int:
    """A recovery without marks on segments does not know how many are lost."""
    return 0


def timeout_s(tcp: sender.TcpState, state: object) -> float:
    """The one timer of most recoveries is for the retransmission timeout."""
    return rto.timeout_s(tcp)


for _name, _rules in named_modules(recovery).items():
    register(_name, _rules)
