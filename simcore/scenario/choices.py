"""A part of a scenario that is chosen by name, each choice with settings of its own, flat in one mapping."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar, cast

from pydantic import create_model
from pydantic_core import PydanticCustomError

from simcore.rules.settings import Strict

Part = TypeVar("Part", bound=Strict)


def models_of(part: type[Part], key: str, settings: Mapping[str, type[Strict]]) -> dict[str, type[Part]]:
    """A model for each choice, by the name that stands under `key`: the part's fields, then those of the choice."""
    return {name: _model(part, key, name, own) for name, own in settings.items()}


def _model(part: type[Part], key: str, name: str, settings: type[Strict]) -> type[Part]:
    title = f"{part.__name__}_{name}"
    tag: Any = {key: (Literal[name], ...)}
    return cast("type[Part]", create_model(title, __base__=(settings, part), __doc__=settings.__doc__, **tag))


def known(name: str, names: Iterable[str]) -> str:
    """The name, if it is one of those that are registered now."""
    if name in names:
        return name
    raise PydanticCustomError(
        "unknown_name", "{name} is not known; allowed: {allowed}", {"name": repr(name), "allowed": ", ".join(names)}
    )
