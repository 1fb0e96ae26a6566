"""The kinds of flows that the panel offers, by the name of the TCP variant or of the UDP source."""

from collections.abc import Mapping
from typing import Final

from simcore.rules.sources.registry import SOURCES
from simcore.rules.sources.source import RatedSettings
from simcore.rules.variants import VARIANTS
from simcore.scenario.flows import Flow
from simcore.scenario.losses import Impaired

WINDOW_PACKETS: Final = 20  # ns-2: window_
# The settings of the sources that need no list of times, by the examples in their schema, which are ns-2's defaults.
RATED: Final[dict[str, dict[str, object]]] = {
    name: {field: said.examples[0] for field, said in source.settings.model_fields.items() if said.examples}
    for name, source in SOURCES.items()
    if issubclass(source.settings, RatedSettings)
}
COMMON: Final = Flow.model_fields.keys() - Impaired.model_fields.keys()  # what a flow keeps when its kind changes


def kind_of(flow: Mapping[str, object]) -> str:
    """The variant of a TCP flow, with or without settings, the source of a UDP flow."""
    kind = flow["variant"] if flow["kind"] == "tcp" else flow["source"]
    return str(next(iter(kind)) if isinstance(kind, Mapping) else kind)


def spoken(kind: str) -> str:
    """What readers call a kind."""
    return VARIANTS[kind].title if kind in VARIANTS else SOURCES[kind].name


def offered() -> list[str]:
    """All kinds that can be chosen: the registered variants, and the sources that need no list of times."""
    return [*VARIANTS, *RATED]


def flow_of_kind(kind: str, like: Mapping[str, object], rate_mbps: float) -> dict[str, object]:
    """A flow of another kind with the times, sizes and links of `like`; `rate_mbps` is for UDP sources."""
    common = {name: like[name] for name in sorted(COMMON) if name in like}
    if kind in VARIANTS:
        window = like.get("window_packets", WINDOW_PACKETS)
        return {"kind": "tcp", "variant": kind, "window_packets": window, **common}
    return {"kind": "udp", "source": kind, **RATED[kind], "rate_mbps": rate_mbps, **common}
