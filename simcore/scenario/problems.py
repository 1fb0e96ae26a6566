"""What pydantic found wrong, told to a person: dotted path, what was given, what is allowed."""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from simcore.rules.congestion.control import Control
from simcore.rules.congestion.registry import CONTROLS
from simcore.rules.queues.pause import Pause
from simcore.rules.variants import VARIANTS
from simcore.scenario.flows import UDP_FLOWS, Flow, TcpFlow
from simcore.scenario.links import LINKS, Host, Link
from simcore.scenario.profiles import OVERRIDABLE, PROFILES
from simcore.scenario.scenario import Scenario

Place = tuple[int | str, ...]  # where a mapping stands in a scenario: keys, and positions in lists

FLOWS: dict[str, type[Flow]] = {"tcp": TcpFlow, **UDP_FLOWS}
# The tags by which pydantic tells flows and queues apart, which it puts into its paths.
TAGS: dict[str, tuple[str, ...]] = {"kind": ("tcp", "udp"), "source": tuple(UDP_FLOWS), "queue": tuple(LINKS)}
ALLOWED = {
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "string_type": "text",
    "string_pattern_mismatch": "text without null characters",
    "tuple_type": "a list",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}
MOST_PROBLEMS = 20  # of a file that are told at once
LONGEST_VALUE = 60  # characters of a given value that are repeated in a message


def keys_of_scenario(place: Place) -> Iterable[str]:
    """The keys that a scenario of the packet model has at a place."""
    match place:
        case ():
            return (*Scenario.model_fields, *OVERRIDABLE)
        case (_, _, *tags) if tags and tags[-1] in FLOWS:
            from_a_file = ("times_file",) if tags[-1] == "replay" else ()  # see `load_scenario`
            return (*FLOWS[str(tags[-1])].model_fields, *from_a_file)
        case ("bottleneck", queue) | ("onward", _, queue):
            return LINKS[str(queue)].model_fields
        case ("hosts", _):
            return Host.model_fields
        case (*_, "variant", name):
            return _keys_of_settings(VARIANTS[str(name)].control)
        case (*_, "growth", name):
            return _keys_of_settings(CONTROLS[str(name)])
        case (*_, "pause"):
            return Pause.model_fields
        case _:
            return Link.model_fields


def _keys_of_settings(control: Control[Any]) -> Iterable[str]:
    return control.settings.model_fields if control.settings else ()


class InputError(ValueError):
    """Input that can't be used: `args` has a line for a person for each problem, and the message is these lines."""

    def __str__(self) -> str:
        return "\n".join(self.args)


def problems_of(
    error: ValidationError, where: str = "", keys_allowed_at: Callable[[Place], Iterable[str]] = keys_of_scenario
) -> list[str]:
    """A line for each problem, but for those beyond MOST_PROBLEMS; `where` stands in front of each.

    Unknown keys come first: one often explains a missing key.
    """
    details = error.errors()
    shown = [problem for problem in details if not _only_seems_too_short(problem, details)]
    shown.sort(key=lambda problem: problem["type"] != "extra_forbidden")
    lines = [where + _line(problem, keys_allowed_at) for problem in shown[:MOST_PROBLEMS]]
    more = len(shown) - len(lines)
    return lines + [f"{where}{more} more like these"] * (more > 0)


def _only_seems_too_short(problem: ErrorDetails, details: Iterable[ErrorDetails]) -> bool:
    """Is this a list whose entries are wrong? pydantic doesn't count those."""
    place = problem["loc"]
    within = (other for other in details if other["loc"][: len(place)] == place and other is not problem)
    return problem["type"] == "too_short" and any(within)


def _line(problem: ErrorDetails, keys_allowed_at: Callable[[Place], Iterable[str]]) -> str:
    place, explanation = _dotted_path(problem), _explanation(problem, keys_allowed_at)
    return f"{place}: {explanation}" if place else explanation


def _dotted_path(problem: ErrorDetails) -> str:
    """The place as in the file: without the tags of pydantic's unions, profile fields at the top level."""
    loc: list[int | str] = []
    for part in problem["loc"]:
        if not _is_tag(part, loc):
            loc.append(part)
    if len(loc) > 1 and loc[0] == "profile":
        loc = loc[1:]
    if problem["type"].startswith("union_tag"):
        loc.append(_discriminator(problem))
    field = problem.get("ctx", {}).get("field")
    return ".".join(str(part) for part in ([*loc, field] if field else loc))


def _is_tag(part: int | str, before: list[int | str]) -> bool:
    """Did pydantic put this into the path? It names the kind of a flow, and the queue of a link of the row."""
    if before == ["bottleneck"] or (len(before) == 2 and before[0] == "onward"):
        return part in TAGS["queue"]
    return part in TAGS["kind"] + TAGS["source"] and bool(before) and isinstance(before[-1], int)


def _explanation(problem: ErrorDetails, keys_allowed_at: Callable[[Place], Iterable[str]]) -> str:
    kind, given, context = problem["type"], _shortened(problem["input"]), problem.get("ctx", {})
    if kind == "missing":
        choices = f"; allowed: {_listed(PROFILES)}" if problem["loc"] == ("profile",) else ""
        return f"missing; must be given{choices}"
    if kind == "union_tag_not_found":
        return f"missing; allowed: {_listed(TAGS[_discriminator(problem)])}"
    if kind == "extra_forbidden":
        return f"unknown key, given {given}; allowed here: {_listed(keys_allowed_at(problem['loc'][:-1]))}"
    if kind == "union_tag_invalid":
        return f"{context['tag']!r} is not known; allowed: {_listed(TAGS[_discriminator(problem)])}"
    if kind == "literal_error":
        return f"{given} is not known; allowed: {context['expected'].replace(chr(39), '').replace(' or ', ', ')}"
    if kind == "too_short":
        return f"{given} is not allowed; must have at least {context['min_length']}"
    if kind == "too_long":
        return f"{given} is not allowed; must have at most {context['max_length']}"
    if kind == "invalid_key":
        return f"the key {problem['loc'][-1]!r} is not allowed; must be text"
    if kind not in ALLOWED and not problem["msg"].startswith("Input should be"):
        return problem["msg"]  # our own words, from the scenario's validators
    allowed = ALLOWED.get(kind, problem["msg"].removeprefix("Input should be "))
    return f"{given} is not allowed; must be {allowed}"


def _discriminator(problem: ErrorDetails) -> str:
    """The key that tells the members of a union apart."""
    return str(problem["ctx"]["discriminator"]).strip("'")


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "..."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
