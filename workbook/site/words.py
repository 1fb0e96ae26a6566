"""What a page says and in which colours: exported from where the notebooks have it, so that it is said once."""

from typing import Any, Final

from simcore import Scenario
from simcore.rules.causes import CAUSES, USUAL
from simcore.rules.variants import VARIANTS
from simcore.rules.why import Why
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import PROFILES
from workbook.explore import kinds
from workbook.explore.bins import LEAST_PACKETS, MOST, WIDTHS_S
from workbook.explore.charts import MARK_COLOURS, TOLD
from workbook.explore.explanations import why
from workbook.explore.looks import FURTHER
from workbook.plots import style
from workbook.plots.plane import HEADER_BYTES

ANY: Final = {"kind": "tcp", "packet_bytes": 1, "window_packets": 1, "start_s": 0.0, "stop_s": 1.0}


def words() -> dict[str, Any]:
    """Causes with their reasons, titles, colours: what is the same on all pages."""
    reasons: list[tuple[str, str, str]] = []
    told = {name: {kind: [_place(reasons, why(cause, flow, profile)) for cause in CAUSES]
                   for kind in VARIANTS for flow in [TcpFlow.model_validate(ANY | {"variant": kind})]}
            for name, profile in PROFILES.items()}  # fmt: skip
    return {
        "causes": list(CAUSES),
        "usual": list(USUAL),
        "reasons": reasons,
        "why": told,
        "titles": {kind: title(kind) for kind in kinds.offered()},
        "colours": MARK_COLOURS,
        "shades": {kind: [look.colour for look in style.FLOWS[kind]] + list(FURTHER[kind]) for kind in FURTHER},
        "charts": TOLD,
        "bins": {"widths": WIDTHS_S, "most": MOST, "packets": LEAST_PACKETS},
        "header_bytes": HEADER_BYTES,
    }


def reasons_of(scenario: Scenario) -> dict[str, list[Why]]:
    """Why windows change where a scenario overrides facts of its profile, by kind; nothing where it doesn't."""
    if scenario.profile == PROFILES[scenario.profile.name]:
        return {}
    flows = {flow.variant: flow for flow in scenario.flows if isinstance(flow, TcpFlow)}
    return {kind: [why(cause, flow, scenario.profile) for cause in CAUSES] for kind, flow in flows.items()}


def title(kind: str) -> str:
    """What a flow of a kind is called, without its number, as in a Dataset."""
    return VARIANTS[kind].title if kind in VARIANTS else f"UDP {kind.upper() if kind == 'cbr' else kind.capitalize()}"


def _place(reasons: list[tuple[str, str, str]], reason: tuple[str, str, str]) -> int:
    """The position of a reason among all that are told, each once."""
    if reason not in reasons:
        reasons.append(reason)
    return reasons.index(reason)
