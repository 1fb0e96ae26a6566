"""Which controls are turned together while the worlds of a grid are built, and what each sweep is about.

Most numbers of a world depend on one control or two. A few depend on more, but only by a rough property of each: of a
queue it may matter whether it is RED alone. Such a sweep names what it is about, and builds one of each that are alike.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simcore import scenario_from
from simcore.network.reset_order import reset_order
from simcore.network.states import syn_option_bytes
from simcore.rules.variants import VARIANTS
from simcore.scenario.flows import TcpFlow
from simcore.scenario.links import LINKS
from simcore.scenario.profiles import LINUX, PROFILES
from workbook.explore.further import CHOICES, FURTHER_SLIDERS
from workbook.explore.setting import Setting

EACH: Final = "kind_*"  # an axis on which all flows are of the same kind, and each is looked at by itself
DRAWN: Final = ("streams", "tcp.boot_s")  # random numbers drawn before the start
RED: Final = ("queues.weight",)  # what RED alone makes of the rate and the delay
IN_BYTES: Final = ("queues.limit_bytes", "bottleneck.buffer_bytes")
LEAVES: Final = "leaves"  # of a scenario, as a part beside a world's arrays
LINES: Final = ("queues.line_of",)  # of queues that tell nodes apart
LISTS: Final = ("queues.first", "queues.last", "queues.line_behind", "queues.lines")  # FQ-CoDel has as many as flows
SYN: Final = ("flows.syn_bytes", "sinks.syn_option_bytes")
QUICK: Final = ("sinks.quick_acks", "sinks.quick_again", "sinks.push_every")  # of Linux's receivers, by the window
SSTHRESH: Final = ("tcp.ssthresh",)  # the window, or without a bound in Linux
STRUCTURE: Final = ("links", "senders", "receivers")


@dataclass(frozen=True)
class Axis:
    """Controls that are turned together; `alike` tells by their values which positions are alike."""

    names: tuple[str, ...]
    alike: Callable[..., Hashable] | None = None


@dataclass(frozen=True)
class Sweep:
    """Axes whose combinations are all built, and what it is about: some names, or all that no other sweep has."""

    axes: tuple[Axis, ...]
    about: tuple[str, ...] = ()
    counted: bool = False  # does what it finds depend on how many flows there are?
    queues: Callable[[str], bool] | None = None  # of which alone it says something: with others all is as at the start

    @property
    def parts(self) -> list[str]:
        """The arrays of a world that it is about, and the leaves; nothing if it is about all that there is."""
        heads = {name.partition(".")[0] for name in self.about}
        return sorted(LEAVES if head == "bottleneck" else head for head in heads)

    @property
    def is_each(self) -> bool:
        """Are flows looked at one by one?"""
        return any(axis.names == (EACH,) for axis in self.axes)


PLAIN: Final = (
    ("delay_ms",), ("queue",), ("queue", "rate_mbps"), ("queue", "buffer_packets"), ("queue", "ecn"),
    (EACH, "profile"), (EACH, "window_packets"), (EACH, "profile", "packet_bytes"),
    (EACH, "udp_rate_mbps", "packet_bytes"), (EACH, "jitter_ms"), (EACH, "profile", "ecn"),
    ("loss_percent",), STRUCTURE,
    ("senders", "host_rate_mbps"), ("senders", "access_rate_mbps"), ("senders", "access_delay_ms", "access_step_ms"),
    ("receivers", "exit_rate_mbps"), ("receivers", "exit_delay_ms"),
)  # fmt: skip

TIMES: Final = ("end_s", "gap_s")  # the last flow's start may be later than the end
KNOWN: Final = (*PLAIN, TIMES)


def sweeps(names: Sequence[str], base: Setting) -> list[Sweep]:
    """Those that a family with controls of these names needs."""
    known = (*names, EACH) if "kind_1" in names else (*names,)
    others = [(name,) for name in names if not name.startswith("kind_") and not any(name in group for group in KNOWN)]
    usual = dict.fromkeys(tuple(name for name in group if name in known) for group in (*PLAIN, *others))
    found = [Sweep(tuple(Axis((name,)) for name in group)) for group in usual if group]
    if times := tuple(Axis((name,)) for name in TIMES if name in names):
        found.append(Sweep(times, counted=True))
    return found + [sweep for sweep in _special(known, base) if sweep.axes]


def _special(known: Sequence[str], base: Setting) -> Iterator[Sweep]:
    """The sweeps that are about some names."""

    def axes(*wanted: Axis) -> tuple[Axis, ...]:
        return tuple(axis for axis in wanted if set(axis.names) <= set(known))

    def one(name: str, alike: Callable[..., Hashable] | None = None) -> Axis:
        return Axis((name,), alike)

    everyone = [one(name, draws) for name in known if name.startswith("kind_") and name != EACH]
    structure = Axis(STRUCTURE, lambda *values: _order(base, values))
    yield Sweep(axes(*everyone, one("profile", _tick), structure), DRAWN, counted=True)
    yield Sweep(axes(one("queue", _is_red), one("rate_mbps"), one("delay_ms")), RED, queues=_is_red)
    in_bytes = axes(one("queue", _is_in_bytes), one("buffer_packets"), one("packet_bytes"))
    yield Sweep(in_bytes, IN_BYTES, queues=_is_in_bytes)
    yield Sweep(axes(one("queue"), *map(one, STRUCTURE)), LINES)
    yield Sweep(axes(one("queue")), LISTS, counted=True)
    scaled = Axis(("window_packets", "packet_bytes"), lambda window, size: (_options(window, size), size))
    either = [scaled] if set(scaled.names) <= set(known) else [one(name) for name in scaled.names]
    yield Sweep(axes(one(EACH, _kind_of_syn), one("profile", _profile_of_syn), *either), SYN)
    quick = one("profile", lambda name: (PROFILES[name].most_quick_acks, PROFILES[name].pushes_acknowledged))
    yield Sweep(axes(one(EACH, lambda kind: kind in VARIANTS), quick, one("window_packets")), QUICK)
    bound = one("profile", lambda name: (PROFILES[name].stack, PROFILES[name].cwnd_clamped))
    yield Sweep(axes(one(EACH, lambda kind: kind in VARIANTS), bound, one("window_packets")), SSTHRESH)


def draws(kind: str) -> int:
    """How many random numbers a flow of a kind draws before the start."""
    return VARIANTS[kind].recovery.creation_draws if kind in VARIANTS else 0


def _tick(profile: str) -> float:
    return PROFILES[profile].tick_s


def _order(base: Setting, values: Sequence[Any]) -> Hashable:
    """The order in which senders draw, which depends on the nodes."""
    links, senders, receivers = values
    setting = CHOICES["receivers"].write(CHOICES["senders"].write(base, senders), receivers)
    return tuple(reset_order(scenario_from(FURTHER_SLIDERS["links"].write(setting, links))))


def _is_red(queue: str) -> bool:
    return queue == "red"


def _is_in_bytes(queue: str) -> bool:
    return "buffer_packets" not in LINKS[queue].model_fields


def _kind_of_syn(kind: str) -> Hashable:
    recovery = VARIANTS[kind].recovery if kind in VARIANTS else None
    return recovery and (recovery.counts_headers, recovery.selective_acks)


def _profile_of_syn(name: str) -> Hashable:
    profile = PROFILES[name]
    return profile.syn_bytes, profile.syn_options, profile.header_bytes


def _options(window: int, size: int) -> int:
    """The bytes of the options of a SYN of Linux's."""
    times = {"start_s": 0.0, "stop_s": 1.0}
    said = {"kind": "tcp", "variant": "sack", "window_packets": window, "packet_bytes": size, **times}
    return syn_option_bytes(TcpFlow.model_validate(said), LINUX)
