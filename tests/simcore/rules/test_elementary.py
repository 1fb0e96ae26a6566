"""log, exp and power against forty digits, and in both engines."""

from collections.abc import Callable
from decimal import Decimal, localcontext
from random import Random

import pytest

from simcore.rules.elementary import LN2_HIGH, LN2_LOW, LN2_MIDDLE, exp, log, power

CALLS = 2000
RANDOM = Random(5681)


def exact_power(x: float, y: float) -> Decimal:
    return (Decimal(y) * Decimal(x).ln()).exp()


def rounded(function: Callable[..., Decimal], *arguments: float) -> float:
    """The double that is nearest to the true value."""
    with localcontext() as context:
        context.prec = 40
        return float(function(*map(Decimal, arguments)) if function is not exact_power else exact_power(*arguments))


@pytest.mark.parametrize(
    ("ours", "exact", "arguments"),
    [
        (exp, Decimal.exp, lambda: [RANDOM.uniform(-40, 40)]),
        (exp, Decimal.exp, lambda: [RANDOM.uniform(-1e-3, 1e-3)]),
        (log, Decimal.ln, lambda: [RANDOM.random()]),
        (log, Decimal.ln, lambda: [1 - RANDOM.random() * 2.0 ** -RANDOM.randint(1, 32)]),  # where it is almost nothing
        (log, Decimal.ln, lambda: [RANDOM.uniform(1, 1e5)]),
        (power, exact_power, lambda: [RANDOM.random(), 1 / RANDOM.uniform(1.01, 3)]),  # pareto
        (power, exact_power, lambda: [RANDOM.uniform(0, 500), 1 / 3]),  # cubic
        (power, exact_power, lambda: [1 - RANDOM.uniform(1e-4, 0.1), float(RANDOM.randint(1, 3000))]),  # RED
    ],
)
def test_it_is_the_nearest_double(
    ours: Callable[..., float], exact: Callable[..., Decimal], arguments: Callable[[], list[float]]
) -> None:
    for _ in range(CALLS):
        given = arguments()
        assert ours(*given) == rounded(exact, *given), given


def test_what_is_exact_is_exact() -> None:
    assert (exp(0.0), log(1.0), power(0.0, 0.5), power(1.0, 0.3), power(0.25, 0.5)) == (1.0, 0.0, 0.0, 1.0, 0.5)


def test_what_is_too_small_is_nothing() -> None:
    assert (exp(-1e6), power(0.998, 1e7)) == (0.0, 0.0)
    assert exp(-740.0) > 0.0


def test_the_parts_of_ln_2() -> None:
    with localcontext() as context:
        context.prec = 60
        missing = Decimal(2).ln() - Decimal(LN2_HIGH) - Decimal(LN2_MIDDLE) - Decimal(LN2_LOW)
    assert abs(missing) < Decimal(2) ** -133
    for part in (LN2_HIGH, LN2_MIDDLE):
        mantissa = int(part.hex().split("p")[0].removeprefix("0x1."), 16)
        assert mantissa % 2**12 == 0  # 40 bits: times a whole number of 12 bits it is exact
