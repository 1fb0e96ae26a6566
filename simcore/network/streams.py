"""Where each component's random numbers come from: one stream that all share, as in ns-2, or one each."""

from hashlib import sha256
from itertools import chain
from typing import Final, NamedTuple

from simcore.network.jump_ahead import STREAMS, stream_number
from simcore.network.reset_order import reset_order
from simcore.rules.mrg32k3a import Stream, seeded, uniform
from simcore.scenario.flows import TcpFlow
from simcore.scenario.scenario import Scenario

SHARED: Final = 0  # its position among the streams


class RandomNumbers(NamedTuple):
    """The streams, and the positions among them of those that queues (by link of the row) and flows draw from."""

    phases_s: list[float]  # of the TCP senders' clocks, in the order of the flows
    streams: list[Stream]
    queues: list[int]
    sources: list[int]
    losses: list[int]
    jitters: list[int]


def random_numbers(scenario: Scenario) -> RandomNumbers:
    """The random numbers of a run."""
    return _shared(scenario) if scenario.random_streams == "shared" else _independent(scenario)


def _shared(scenario: Scenario) -> RandomNumbers:
    """In ns-2 every TCP agent draws a number when it is created (Vegas two) and another, the one that counts, when the
    run starts and resets it. All that comes later draws in the order of the events.
    """
    senders = {i: flow.rules().recovery for i, flow in enumerate(scenario.flows) if isinstance(flow, TcpFlow)}
    stream = seeded(scenario.seed)
    for _ in range(sum(recovery.creation_draws for recovery in senders.values())):
        uniform(stream)
    phases = {i: scenario.profile.tick_s * uniform(stream) for i in reset_order(scenario) if i in senders}
    everyone = [SHARED] * len(scenario.flows)
    queues = [SHARED] * len(scenario.row())
    return RandomNumbers([phases[i] for i in sorted(phases)], [stream], queues, everyone, everyone, everyone)


def _independent(scenario: Scenario) -> RandomNumbers:
    """A stream for every component, named after it: nobody's numbers depend on who else is there."""
    flows, seed = scenario.flows, scenario.seed
    numbers, links = range(1, len(flows) + 1), range(len(scenario.row()))
    clocks = [named(seed, f"flow {k} clock") for k, flow in zip(numbers, flows, strict=True) if flow.kind == "tcp"]
    per_flow = [[named(seed, f"flow {k} {what}") for k in numbers] for what in ("source", "losses", "jitter")]
    queues = [named(seed, f"link {k} queue") for k in links]
    first = len(queues)  # position of the first flow's
    return RandomNumbers(
        [scenario.profile.tick_s * uniform(clock) for clock in clocks],
        [*queues, *chain(*per_flow)],
        list(links),
        *([first + n * len(flows) + i for i in range(len(flows))] for n in range(len(per_flow))),
    )


def named(seed: int, name: str) -> Stream:
    """The stream of a component. Of 2^63 streams two components might get the same one, but never will.

    The seed goes into the name: elsewhere it would only multiply all words of a stream's state, modulo a prime, and the
    numbers of seeds 1 and 2 would be correlated.
    """
    digest = sha256(f"{seed} {name}".encode()).digest()
    return stream_number(int.from_bytes(digest[:8]) % STREAMS)
