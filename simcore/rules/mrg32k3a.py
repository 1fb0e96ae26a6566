"""The random numbers of ns-2: L'Ecuyer's combined multiple recursive generator MRG32k3a.

P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators",
Operations Research 47 (1), 1999.
"""

from collections.abc import Iterator

M1 = 4294967087
M2 = 4294944443


def uniforms(seed: int) -> Iterator[float]:
    """Numbers in (0, 1) from the state that ns-2's command `seed` sets: all six words equal to `seed`.

    Without that command ns-2's state is all ones, which is seed 1.
    """
    a0 = a1 = a2 = b0 = b1 = b2 = seed
    while True:
        a0, a1, a2 = a1, a2, (1403580 * a1 - 810728 * a0) % M1
        b0, b1, b2 = b1, b2, (527612 * b2 - 1370589 * b0) % M2
        yield ((a2 - b2) % M1 or M1) / (M1 + 1)
