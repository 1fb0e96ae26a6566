"""The UDP sources by name: every module of this folder that has a NAME."""

from typing import Final

from simcore.rules import sources
from simcore.rules.modules import named_modules
from simcore.rules.sources.source import Source, source_of

SOURCES: Final[dict[str, Source]] = {name: source_of(rules) for name, rules in named_modules(sources).items()}
