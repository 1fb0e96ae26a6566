"""The random numbers of ns-2: L'Ecuyer's combined multiple recursive generator MRG32k3a.

P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators",
Operations Research 47 (1), 1999.
"""

from dataclasses import dataclass
from typing import Final

from simcore.rules.elementary import log, power

M1: Final = 4294967087
M2: Final = 4294944443
NORM: Final = 2.328306549295727688e-10  # 1 / (M1 + 1); to divide gives other last bits, which can decide a tie


@dataclass(slots=True)
class Stream:
    """Where a sequence of random numbers has got to: the last three values of both recurrences."""

    a0: int
    a1: int
    a2: int
    b0: int
    b1: int
    b2: int


def seeded(seed: int) -> Stream:
    """The state that ns-2's command `seed` sets: all six words equal to it. Without that command they are ones."""
    return Stream(seed, seed, seed, seed, seed, seed)


def uniform(stream: Stream) -> float:
    """The next number in (0, 1)."""
    a3 = (1403580 * stream.a1 - 810728 * stream.a0) % M1
    b3 = (527612 * stream.b2 - 1370589 * stream.b0) % M2
    stream.a0, stream.a1, stream.a2 = stream.a1, stream.a2, a3
    stream.b0, stream.b1, stream.b2 = stream.b1, stream.b2, b3
    difference = (a3 - b3) % M1
    return (difference if difference > 0 else M1) * NORM


def exponential(stream: Stream) -> float:
    """The next number of an exponential distribution with mean 1."""
    return -log(uniform(stream))


def pareto(stream: Stream, mean: float, shape: float) -> float:
    """The next number of a Pareto distribution with this mean, which needs a shape above 1."""
    least = mean * (shape - 1.0) / shape
    return least * (1.0 / power(uniform(stream), 1.0 / shape))
