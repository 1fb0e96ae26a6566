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
    """Names what the compiled loop is made from: every source, rules registered from elsewhere included."""
    sources = _own_sources().copy()
    for text in sorted(inspect.getsource(f) for f in rule_functions() if not f.__module__.startswith("simcore.")):
        sources.update(text.encode())
    return sources.hexdigest()[:16]


@cache
def _own_sources() -> "hashlib._Hash":
    """The hash of our own, read once: what changes on disk later doesn't change this process."""
    files = [*_files(simcore.rules), Path(simcore.results.log.__file__), *_files(simcore.compiled)]
    texts = (version("llvmlite"), *(file.read_text(encoding="utf-8") for file in files))
    return hashlib.sha256("\0".join(texts).encode())


def _files(package: ModuleType) -> list[Path]:
    return sorted(file for folder in package.__path__ for file in Path(folder).rglob("*.py"))
