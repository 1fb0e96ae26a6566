"""The order in which ns-2 resets its agents when a run starts: that of Tcl's `array names` over the nodes."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from simcore.network.addresses import addresses
from simcore.scenario.scenario import Scenario

# A Tcl array is a hash table with chains. What matters here was found out by listing arrays of 3 to 800 elements.
FIRST_BUCKETS: Final = 4
GROWTH: Final = 4
CROWDED: Final = 3  # names a bucket, on average, at which the table grows


def reset_order(scenario: Scenario) -> list[int]:
    """The flows, counted from 0, in the order in which ns-2 resets their senders.

    The agents of one node come in the order of the flows.
    """
    pairs = addresses(scenario)
    nodes = 1 + max(len(scenario.row()) + len(scenario.hosts), *chain(*pairs))
    visit = {int(name): place for place, name in enumerate(array_names(map(str, range(nodes))))}
    return sorted(range(len(pairs)), key=lambda i: visit[pairs[i][0]])


def array_names(names: Iterable[str]) -> list[str]:
    """The names of an array's elements in the order in which Tcl lists them, given that of their creation."""
    buckets: list[list[str]] = [[] for _ in range(FIRST_BUCKETS)]
    for count, name in enumerate(names, start=1):
        _enter(buckets, name)
        if count >= CROWDED * len(buckets):
            buckets = _grown(buckets)
    return _listed(buckets)


def _grown(buckets: Sequence[Sequence[str]]) -> list[list[str]]:
    larger: list[list[str]] = [[] for _ in range(GROWTH * len(buckets))]
    for name in _listed(buckets):
        _enter(larger, name)
    return larger


def _enter(buckets: Sequence[list[str]], name: str) -> None:
    """The newest stands first in its chain."""
    code = 0
    for letter in name.encode():
        code = 9 * code + letter
    buckets[code % len(buckets)].insert(0, name)


def _listed(buckets: Iterable[Iterable[str]]) -> list[str]:
    return [name for chain in buckets for name in chain]
