"""The queue disciplines by name: every module of this folder that has a NAME."""

from typing import Final

from simcore.rules import queues
from simcore.rules.modules import named_modules
from simcore.rules.queues.discipline import Discipline, discipline_of

DISCIPLINES: Final[dict[str, Discipline]] = {
    name: discipline_of(rules) for name, rules in named_modules(queues).items()
}
