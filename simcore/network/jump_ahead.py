"""Far ahead in the random numbers of MRG32k3a at once, and so to streams that never meet.

P. L'Ecuyer, R. Simard, E. J. Chen, W. D. Kelton, "An Object-Oriented Random-Number Package with Many Long Streams and
Substreams", Operations Research 50 (6), 2002.
"""

from functools import cache
from typing import Final

from simcore.rules.mrg32k3a import M1, M2, Stream, seeded

Row = tuple[int, int, int]
Matrix = tuple[Row, Row, Row]

# One step of each of the two recurrences.
STEP_1: Final[Matrix] = ((0, 1, 0), (0, 0, 1), (-810728, 1403580, 0))
STEP_2: Final[Matrix] = ((0, 1, 0), (0, 0, 1), (-1370589, 0, 527612))

SPACING_BITS: Final = 127  # a stream begins 2^127 numbers after the one before it
STREAMS: Final = 1 << 63  # so spaced, half the generator's period of almost 2^191
PACKAGE_SEED: Final = 12345  # all six words of the package's first stream


def stream_number(number: int) -> Stream:
    """The stream of this number, counted from 0, as the package gives them out; up to STREAMS."""
    return ahead(seeded(PACKAGE_SEED), number << SPACING_BITS)


def ahead(stream: Stream, steps: int) -> Stream:
    """The stream as it is after so many numbers."""
    a: Row = (stream.a0, stream.a1, stream.a2)
    b: Row = (stream.b0, stream.b1, stream.b2)
    for bit in range(steps.bit_length()):
        if steps >> bit & 1:
            a, b = _times(_doubled(STEP_1, M1, bit), a, M1), _times(_doubled(STEP_2, M2, bit), b, M2)
    return Stream(*a, *b)


@cache
def _doubled(step: Matrix, modulus: int, times: int) -> Matrix:
    """The matrix of 2^times steps."""
    if times == 0:
        return step
    half = _doubled(step, modulus, times - 1)
    x, y, z = (_times(half, column, modulus) for column in zip(*half, strict=True))
    return tuple(zip(x, y, z, strict=True))  # type: ignore[return-value]


def _times(matrix: Matrix, vector: Row, modulus: int) -> Row:
    x, y, z = (sum(m * v for m, v in zip(row, vector, strict=True)) % modulus for row in matrix)
    return x, y, z
