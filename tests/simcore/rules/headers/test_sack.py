"""What an ACK says beyond its number: the SACK blocks of RFC 2018, as ns-2's sink writes them."""

import pytest

from simcore.network.states import sink_state
from simcore.rules.headers import header
from simcore.rules.receivers.sink import SinkState, take_in
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import LINUX, NS_2_35, Profile

Blocks = list[tuple[int, int]]


def new_sink(variant: str = "sack", profile: Profile = NS_2_35) -> SinkState:
    flow = TcpFlow(kind="tcp", variant=variant, packet_bytes=1000, window_packets=20, start_s=0, stop_s=10)
    return sink_state(flow, profile)


def option_bytes(state: SinkState) -> int:
    """An ACK leaves: what its options take."""
    return header.ack_leaves(state.header, state, 0.0)


def answer(state: SinkState, *arrivals: int) -> tuple[int, Blocks]:
    """The ACK of the last of these segments, each of which is acknowledged: its number and its blocks."""
    for seq in arrivals:
        take_in(state, seq)
        option_bytes(state)
    sack = state.header.said.get("sack")
    edges = list(sack.blocks[: 2 * sack.count]) if sack else []
    return state.next_expected - 1, list(zip(edges[::2], edges[1::2], strict=True))


def test_as_long_as_nothing_is_missing_there_are_no_blocks() -> None:
    assert answer(new_sink(), 0, 1, 2) == (2, [])


@pytest.mark.parametrize(
    ("arrivals", "number", "blocks"),
    [
        ((0, 2), 0, [(2, 3)]),
        ((0, 2, 3), 0, [(2, 4)]),
        ((0, 2, 4), 0, [(4, 5), (2, 3)]),  # the newest first
        ((0, 4, 2), 0, [(2, 3), (4, 5)]),
        ((0, 2, 4, 6), 0, [(6, 7), (4, 5), (2, 3)]),
        ((0, 2, 4, 6, 8), 0, [(8, 9), (6, 7), (4, 5)]),  # three at most, the oldest goes
        ((0, 2, 4, 6, 8, 2), 0, [(2, 3), (8, 9), (6, 7)]),  # until it is news again
        ((0, 2, 4, 3), 0, [(2, 5)]),  # two became one
        ((0, 2, 4, 1), 2, [(4, 5)]),  # acknowledged by number now
        ((0, 3, 1), 1, [(3, 4)]),  # a segment in order repeats what is known
        ((0, 2, 4, 0), 0, [(4, 5), (2, 3)]),  # and so does an old one
        ((0, 2, 1), 2, []),
        ((0, 2, 1, 4), 2, [(4, 5)]),
    ],
)
def test_blocks_tell_of_ranges_that_came_early(arrivals: tuple[int, ...], number: int, blocks: Blocks) -> None:
    assert answer(new_sink(), *arrivals) == (number, blocks)


def test_the_third_example_of_rfc_2018() -> None:
    """Section 4: segments of 500 bytes from 5000 on; the 2nd, 4th, 6th and 8th are lost. Here they count from 0."""
    state = new_sink()
    assert answer(state, 0) == (0, [])
    assert answer(state, 2) == (0, [(2, 3)])
    assert answer(state, 4) == (0, [(4, 5), (2, 3)])
    assert answer(state, 6) == (0, [(6, 7), (4, 5), (2, 3)])
    assert answer(state, 3) == (0, [(2, 5), (6, 7)])
    assert answer(state, 1) == (4, [(6, 7)])


@pytest.mark.parametrize(("early", "size"), [((), 0), ((2,), 8), ((2, 4), 16), ((2, 4, 6), 24), ((2, 4, 6, 8), 24)])
def test_a_block_takes_eight_bytes(early: tuple[int, ...], size: int) -> None:
    state = new_sink()
    answer(state, 0, *early)
    assert option_bytes(state) == size


@pytest.mark.parametrize("variant", ["tahoe", "reno", "newreno", "vegas"])
def test_only_the_sack_sender_is_told(variant: str) -> None:
    state = new_sink(variant)
    assert answer(state, 0, 2, 4) == (0, [])
    assert option_bytes(state) == 0


def test_linux_tells_of_four_blocks_in_an_option_of_whole_words() -> None:
    """Kind, length and two bytes of filling, and 8 bytes a block; ns-2 counts the blocks alone, three at most."""
    sizes: dict[str, list[int]] = {}
    for profile in (NS_2_35, LINUX):
        state = new_sink(profile=profile)
        take_in(state, 0)
        sizes[profile.name] = []
        for seq in (2, 4, 6, 8, 10):
            take_in(state, seq)
            sizes[profile.name].append(option_bytes(state))
    assert sizes == {"ns-2.35": [8, 16, 24, 24, 24], "linux": [12, 20, 28, 36, 36]}
    assert answer(state, 12)[1] == [(12, 13), (10, 11), (8, 9), (6, 7)]
