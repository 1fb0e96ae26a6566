"""The options of TCP's header by name: every module of this folder that has a NAME."""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import fields
from types import ModuleType
from typing import Any, Final

from simcore.rules import headers
from simcore.rules.headers.header import Header, Option, Rules
from simcore.rules.modules import Stateless, named_modules


def option_of(name: str, rules: ModuleType) -> Option[Any]:
    """The option that a module defines: its `Said`, if it says more than bits, and its rules."""
    return Option(
        name=name,
        implied_by=getattr(rules, "IMPLIED_BY", None),
        stacks=getattr(rules, "STACKS", ("ns-2", "linux")),
        said=getattr(rules, "Said", Stateless),
        copied=getattr(rules, "copied", _copier(rules.Said) if hasattr(rules, "Said") else None),
        segment_leaves=getattr(rules, "segment_leaves", None),
        segment_arrived=getattr(rules, "segment_arrived", None),
        ack_leaves=getattr(rules, "ack_leaves", None),
        ack_arrived=getattr(rules, "ack_arrived", None),
    )


def _copier(kind: type[Any]) -> Callable[[Any], Any]:
    """What makes a copy of such records. Their arrays are written to again, numbers are not."""
    example = kind()
    arrays = {each.name: isinstance(getattr(example, each.name), array) for each in fields(kind)}

    def copied(said: Any) -> Any:
        return kind(*[getattr(said, name)[:] if is_array else getattr(said, name) for name, is_array in arrays.items()])

    return copied


WRITTEN_BY: Final = {"segment_arrived": "segment_leaves", "ack_arrived": "ack_leaves"}
"""What arrives is read where the other end has written it."""

OPTIONS: Final[dict[str, Option[Any]]] = {
    name: option_of(name, rules) for name, rules in named_modules(headers).items()
}

OPTIONAL: Final = tuple(name for name, option in OPTIONS.items() if not option.implied_by)
"""Those that a flow may list in its `options`."""


def header_of_sender(names: Iterable[str]) -> Header:
    """The header, at the start, of the sender of a flow that uses these options."""
    return _header(names, "segment_leaves", "ack_arrived")


def header_of_receiver(names: Iterable[str]) -> Header:
    """The same of its receiver."""
    return _header(names, "ack_leaves", "segment_arrived")


def _header(names: Iterable[str], leaves: str, arrived: str) -> Header:
    options = tuple(OPTIONS[name] for name in names)
    writers = [option for option in options if getattr(option, leaves)]
    readers = [option for option in options if getattr(option, arrived) and getattr(option, WRITTEN_BY[arrived])]
    rules = Rules(
        options=options,
        copied=tuple((option.name, option.copied) for option in writers if option.copied),
        leaves=tuple((option.name, getattr(option, leaves)) for option in writers),
        arrived=tuple((option.name, getattr(option, arrived)) for option in readers),
    )
    return Header(0, rules, {option.name: option.said() for option in options})
