"""Jumping ahead in MRG32k3a: against what is published, what ns-2 gives out, and one step after the other."""

import pytest

from simcore.network.jump_ahead import PACKAGE_SEED, ahead, stream_number
from simcore.rules.mrg32k3a import Stream, seeded, uniform

# The matrices of 2^76 and 2^127 steps as published with the package (L'Ecuyer and others, 2002), row by row.
PUBLISHED = {
    76: (
        [[82758667, 1871391091, 4127413238], [3672831523, 69195019, 1871391091], [3672091415, 3528743235, 69195019]],
        [[1511326704, 3759209742, 1610795712], [4292754251, 1511326704, 3889917532],
         [3859662829, 4292754251, 3708466080]],
    ),
    127: (
        [[2427906178, 3580155704, 949770784], [226153695, 1230515664, 3580155704],
         [1988835001, 986791581, 1230515664]],
        [[1464411153, 277697599, 1610723613], [32183930, 1464411153, 1022607788], [2824425944, 32183930, 2093834863]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("exponent", PUBLISHED)
def test_the_published_matrices(exponent: int) -> None:
    units = [[int(row == column) for row in range(3)] for column in range(3)]
    columns = [ahead(Stream(*unit, *unit), 2**exponent) for unit in units]
    first = [[getattr(column, name) for column in columns] for name in ("a0", "a1", "a2")]
    second = [[getattr(column, name) for column in columns] for name in ("b0", "b1", "b2")]
    assert (first, second) == PUBLISHED[exponent]


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 1000])
def test_a_jump_leads_to_where_as_many_steps_do(steps: int) -> None:
    stream = seeded(7)
    for _ in range(steps):
        uniform(stream)
    assert ahead(seeded(7), steps) == stream


def test_two_jumps_are_one() -> None:
    assert ahead(ahead(seeded(7), 2**100 + 5), 3 * 2**99) == ahead(seeded(7), 2**100 + 5 + 3 * 2**99)


def test_the_streams_that_ns_2_gives_out() -> None:
    """Printed by ns-2.35: the first number of each of four `new RNG`, which follow the default one, seeded with ones.

    Its Tcl command `uniform` has 31 bits only.
    """
    printed = [0.16644822581040125, 0.40953778494593585, 0.14735578519634707, 0.91704746145617566]
    assert [uniform(ahead(seeded(1), n * 2**127)) for n in (1, 2, 3, 4)] == pytest.approx(printed, abs=2**-31)


def test_streams_are_numbered_from_the_packages_seed_on() -> None:
    assert stream_number(0) == seeded(PACKAGE_SEED)
    assert stream_number(3) == ahead(seeded(PACKAGE_SEED), 3 * 2**127)
