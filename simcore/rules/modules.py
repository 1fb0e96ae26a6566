"""How registries find their entries: a module with a NAME is one, and its file says what scenarios call it."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules
from types import ModuleType, SimpleNamespace
from typing import Any

Rules = ModuleType | SimpleNamespace | type  # whatever has functions by their names


def named_modules(package: ModuleType) -> dict[str, ModuleType]:
    """The modules in a package's folder that have a NAME, by their files' names, the oldest idea (SINCE) first."""
    files = sorted(info.name for info in iter_modules(package.__path__))
    modules = {file: import_module(f"{package.__name__}.{file}") for file in files}
    entries = [file for file in files if hasattr(modules[file], "NAME")]
    return {file: modules[file] for file in sorted(entries, key=lambda file: int(modules[file].SINCE))}


@dataclass(slots=True)
class Stateless:
    """What a set of rules remembers that remembers nothing of its own."""


def state_of(name: str, rules: Rules) -> Callable[..., object]:
    """What makes the state of a set of rules for a window in packets: its `State` with its `arrays(window)`, if any.

    Of rules with `Settings` their `initial_state(settings, window)` does, with the defaults if none are given.

    Raises ValueError for a name that is none in Python: it becomes the name of a field.
    """
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not allowed; must be letters, digits and _, a letter first")
    state: Callable[..., object] = getattr(rules, "State", Stateless)
    arrays: Callable[[int], dict[str, object]] | None = getattr(rules, "arrays", None)
    if settings := getattr(rules, "Settings", None):
        initial_state: Callable[[object, int], object] = rules.initial_state  # type: ignore[union-attr]
        return lambda window, given=None: initial_state(given or settings(), window)
    return lambda window, given=None: state(**arrays(window)) if arrays else state()


def refuse_other_states(name: str, rules: Rules, contract: type[Any]) -> None:
    """Raise TypeError if one of the rules that a contract names takes another state than these rules' `State`.

    A rule's second argument is the state; one that does not look at it says `object`, one without annotations nothing.
    """
    state = getattr(rules, "State", Stateless)
    for field in fields(contract):
        rule = getattr(rules, field.name, None)
        taken = getattr(rule, "__annotations__", {}).get("state", state)
        if isclass(taken) and not issubclass(state, taken):
            raise TypeError(f"{name}.{field.name} takes a {taken.__name__}, but its state is a {state.__name__}")
