"""What the clock of a simulation can resolve.

Times are doubles in seconds: at 900000 s two neighbours are 1.2e-10 s apart. A source whose packets follow each other
more quickly than that would send for ever without the time moving on, and so would a retransmission timer. Round-trip
times and timeouts are counted in integers of 64 bits (see `simcore.rules.tcp.rto`), which bounds the clock's
granularity and the back-off.
"""

from math import ulp
from typing import TYPE_CHECKING, Final

from pydantic_core import PydanticCustomError

from simcore.rules.sources.source import SourceSettings

if TYPE_CHECKING:
    from simcore.scenario.flows import AnyFlow
    from simcore.scenario.scenario import Scenario

STEPS: Final = 4  # what adds to a time must be at least so many of its last digits
TICKS: Final = 2.0**54  # in a run; the estimator multiplies them by up to 64
DOUBLINGS: Final = 2.0**60  # of a timeout


def check_clock(scenario: "Scenario") -> None:
    """Raise PydanticCustomError for the first interval that the clock can't resolve, or timer that can't be counted."""
    for i, flow in enumerate(scenario.flows):
        interval_s, field = _shortest_interval(scenario, flow)
        least_s = STEPS * ulp(min(flow.stop_s, scenario.end_s))
        if interval_s < least_s:
            raise _unresolved(f"flows.{i}.{field}", interval_s, least_s)
    profile = scenario.profile
    if profile.tick_s * TICKS < scenario.end_s:
        raise _uncounted("tick_s", profile.tick_s, scenario.end_s / TICKS)
    for field, first_s in (("initial_rto_s", profile.initial_rto_s), ("tick_s", profile.tick_s)):
        if max(first_s, profile.min_rto_s) * DOUBLINGS < profile.max_rto_s:
            raise _uncounted(field, first_s, profile.max_rto_s / DOUBLINGS)
    timeout_s, least_s = profile.longest_timeout_s(), STEPS * ulp(scenario.end_s)
    if timeout_s < least_s and not all(isinstance(flow, SourceSettings) for flow in scenario.flows):
        raise _unresolved("max_rto_s", timeout_s, least_s, what="timeouts")


def _shortest_interval(scenario: "Scenario", flow: "AnyFlow") -> tuple[float, str]:
    """The seconds after which a flow may send again, and the field that a person would change."""
    if isinstance(flow, SourceSettings):
        return flow.shortest_interval_s(flow.packet_bytes), "rate_mbps"
    first, last = scenario.routers(flow)
    row = scenario.row()[first:last]
    return max(8.0 * flow.packet_bytes / (link.rate_mbps * 1e6) + link.delay_ms / 1e3 for link in row), "packet_bytes"


def _unresolved(field: str, interval_s: float, least_s: float, what: str = "its packets") -> PydanticCustomError:
    return PydanticCustomError(
        "unresolved_interval",
        "{what} would follow each other in {interval} s; must be at least {least} s, which the clock can resolve",
        {"what": what, "interval": f"{interval_s:.2g}", "least": f"{least_s:.2g}", "field": field},
    )


def _uncounted(field: str, given: float, least: float) -> PydanticCustomError:
    return PydanticCustomError(
        "uncounted_timer",
        "{given} is not allowed; must be at least {least} here, so that timeouts can be counted",
        {"given": f"{given:g}", "least": f"{least:.2g}", "field": field},
    )
