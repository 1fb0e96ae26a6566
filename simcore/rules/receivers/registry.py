"""The sinks by name: every module of this folder that has a NAME."""

from typing import Final

from simcore.rules import receivers
from simcore.rules.modules import named_modules
from simcore.rules.receivers.sink import Sink, sink_of

SINKS: Final[dict[str, Sink]] = {name: sink_of(rules) for name, rules in named_modules(receivers).items()}
