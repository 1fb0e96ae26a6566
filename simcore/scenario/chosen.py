"""A congestion control with settings of its own: `variant: {cubic: {beta: 0.5}}` beside the plain `variant: cubic`."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter
from pydantic_core import PydanticCustomError

from simcore.rules.congestion.control import Control
from simcore.rules.settings import Strict

CHOICES: Final = ("variant", "growth")  # the fields of a flow that name its control; the later one decides


class Chosen(NamedTuple):
    """Settings as a flow gives them: under which of its fields, to which name."""

    field: str
    name: str
    settings: object


def names_and_settings(flow: Mapping[str, Any]) -> tuple[dict[str, Any], list[Chosen]]:
    """A flow as it is given with plain names in the place of names with settings, and these settings.

    Raises PydanticCustomError for a mapping of none or several names.
    """
    for field in CHOICES:
        if isinstance(given := flow.get(field), Mapping) and len(given) != 1:
            raise PydanticCustomError(
                "not_one_name",
                "{given} is not allowed; must be a name, or one name with its settings",
                {"given": repr(given), "field": field},
            )
    chosen = [
        Chosen(field, name, settings)
        for field in CHOICES
        if isinstance(given := flow.get(field), Mapping)
        for name, settings in given.items()
    ]
    return {**flow, **{choice.field: choice.name for choice in chosen}}, chosen


def settings_of(choice: Chosen, control: Control[Any]) -> Strict | None:
    """The settings, validated for the control that the flow has; None if they are its defaults.

    Raises ValidationError with the place within the flow, and PydanticCustomError if the control has no settings.
    """
    if control.settings is None:
        raise PydanticCustomError(
            "no_settings",
            "{name} has no settings; must be the name alone",
            {"name": choice.name, "field": f"{choice.field}.{choice.name}"},
        )
    places = TypeAdapter(dict[str, dict[str, control.settings]])  # type: ignore[name-defined]
    given = places.validate_python({choice.field: {choice.name: choice.settings}})[choice.field][choice.name]
    return given if given.model_dump(exclude_defaults=True) else None
