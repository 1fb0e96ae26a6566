"""How a computed value is compared with a printed one.

A result is rounded as C's printf does it, on the exact binary value, an exact tie going to the even digit.
The studies' numbers were printed that way: 1109.1015625 KB as 1109.101562 but 1201.5234375 KB as 1201.523438.
What the authors worked out by hand is not so regular, so there an exact tie may go either way.
"""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

# A tie in decimal notation (10.005) is slightly off as a binary number.
TIE = Decimal("1.000001")


def as_decimal(value: float) -> Decimal:
    """`value` as it is written: 0.1 is a tenth, not the binary number next to it."""
    return Decimal(repr(value))


def as_printed(value: float, printed: str) -> Decimal:
    """`value` rounded to the decimals of the printed number `printed`."""
    return Decimal(value).quantize(Decimal(printed), ROUND_HALF_EVEN)


def is_printed(value: float, printed: str) -> bool:
    """Whether a program that computed `value` prints `printed`."""
    return as_printed(value, printed) == Decimal(printed)


def is_rounded_by_hand(value: float, printed: str) -> bool:
    """Whether a person who found `value` may have written `printed`."""
    half_a_digit = Decimal(5).scaleb(int(Decimal(printed).as_tuple().exponent) - 1)
    return abs(Decimal(value) - Decimal(printed)) <= half_a_digit * TIE


def is_cut_off(value: float, printed: str) -> bool:
    """Whether `printed` has the digits of `value`, the rest just left away."""
    return Decimal(value).quantize(Decimal(printed), ROUND_DOWN) == Decimal(printed)
