"""What the compiled loop is made from: the rules that are registered, and a name for all sources together."""

import hashlib
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import simcore.compiled
import simcore.results.log
import simcore.rules
from simcore.rules.causes import USUAL
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.receivers.registry import SINKS
from simcore.rules.recovery.registry import RECOVERIES
from simcore.rules.sources.registry import SOURCES

Function = Callable[..., object]


def rule_functions() -> Iterator[Function]:
    """Every rule that is registered now."""
    for group in (*RECOVERIES.values(), *CONTROLS.values(), *SINKS.values(), *SOURCES.values(), *DISCIPLINES.values()):
        yield from (value for value in vars(group).values() if inspect.isfunction(value))


def sources_hash() -> str:
    """Names what the compiled loop is made from: every source, rules registered from elsewhere included.

    Of these it is their functions, those that they call in turn, and the constants that they name.
    """
    sources = _own_sources().copy()
    seen: set[Function] = set()
    texts = {text for function in rule_functions() for text in _texts(function, seen)}
    for text in [*sorted(texts), repr(USUAL)]:
        sources.update(text.encode())
    return sources.hexdigest()[:16]


def _texts(function: Function, seen: set[Function]) -> Iterator[str]:
    """What a rule from elsewhere is made from."""
    if function in seen or not inspect.isfunction(function) or _is_own(function.__module__):
        return
    seen.add(function)
    yield inspect.getsource(function)
    named = inspect.getclosurevars(function)
    for name, value in {**named.globals, **named.nonlocals}.items():
        if inspect.isfunction(value):
            yield from _texts(value, seen)
        elif (
            inspect.ismodule(value)
            and not _is_own(value.__name__)
            and str(getattr(value, "__file__", "")).endswith(".py")
        ):
            yield inspect.getsource(value)
        elif isinstance(value, bool | int | float | tuple | list):
            yield f"{name} = {value!r}"


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == "simcore"


@cache
def _own_sources() -> "hashlib._Hash":
    """The hash of our own, read once: what changes on disk later doesn't change this process."""
    files = [*_files(simcore.rules), Path(simcore.results.log.__file__), *_files(simcore.compiled)]
    texts = (version("llvmlite"), *(file.read_text(encoding="utf-8") for file in files))
    return hashlib.sha256("\0".join(texts).encode())


def _files(package: ModuleType) -> list[Path]:
    return sorted(file for folder in package.__path__ for file in Path(folder).rglob("*.py"))
