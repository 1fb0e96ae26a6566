"""log, exp and power of + - * / and comparisons alone: the same bits on every machine, in every engine and browser.

C's library differs in the last bit between processors, and JavaScript's Math more often. IEEE 754 leaves no choice for
the four operations. A number is kept as the sum of two doubles where one is too short (T. J. Dekker, "A Floating-Point
Technique for Extending the Available Precision", Numerische Mathematik 18, 1971). What is returned is the double
nearest to the true value, but for about one call in a hundred thousand, where it is the other neighbour.
"""

from typing import Final

# ln 2 in three parts: the first two have 40 bits, so that their products with a whole number below 2^12 are exact.
LN2_HIGH: Final = float.fromhex("0x1.62e42fefa2p-1")
LN2_MIDDLE: Final = float.fromhex("0x1.9ef35793c6p-41")
LN2_LOW: Final = float.fromhex("0x1.673007e5ed5e8p-81")
LOG2_E: Final = 1.4426950408889634
SPLITTER: Final = 134217729.0  # 2^27 + 1: cuts a double into two halves of 26 bits
SQUARINGS: Final = 6  # e^x is that of x / 64, squared so often
SHRUNK: Final = 0.015625  # 1 / 64
LEAST: Final = -746.0  # e to this power is nothing in doubles
SQRT_2: Final = 1.4142135623730951


def exp(x: float) -> float:
    """e to the power x, for x up to 700."""
    return _multiple_of_exp(1.0, x, 0.0, 0.0)


def log(x: float) -> float:
    """The natural logarithm of x > 0."""
    near = _log_nearly(x)
    return near + _missing(x, near)


def power(x: float, y: float) -> float:
    """x to the power y, for x >= 0 and y > 0 where that is below e^700."""
    if x == 0.0:
        return 0.0
    near = _log_nearly(x)
    exponent = y * near
    low = _product_error(y, near, exponent) + y * _missing(x, near)
    return _multiple_of_exp(1.0, exponent, low, 0.0)


def _missing(x: float, near: float) -> float:
    """What `near` lacks of the logarithm of x: ln(1 + d), where x / e^near is 1 + d, and d^3 is nothing."""
    d = _multiple_of_exp(x, -near, 0.0, 1.0)
    return d - 0.5 * d * d


def _log_nearly(x: float) -> float:
    """The logarithm but for a few last bits, by the series of artanh: ln m = 2 artanh((m - 1) / (m + 1))."""
    m, k = x, 0.0
    while m > SQRT_2:
        m *= 0.5
        k += 1.0
    while m < 0.5 * SQRT_2:
        m *= 2.0
        k -= 1.0
    s = (m - 1.0) / (m + 1.0)
    square, series = s * s, 0.0
    for n in range(23, 0, -2):
        series = series * square + 1.0 / n
    return k * LN2_HIGH + (2.0 * s * series + k * LN2_MIDDLE)


def _multiple_of_exp(factor: float, high: float, low: float, less: float) -> float:
    """factor * e^(high + low) - less, rounded once: e^(r + k ln 2) = (e^(r/64))^64 * 2^k."""
    if high < LEAST:
        return -less
    k = float(int(high * LOG2_E + (0.5 if high > 0.0 else -0.5)))
    rest, part = high - k * LN2_HIGH, -k * LN2_MIDDLE
    r = rest + part
    r_low = SHRUNK * (_sum_error(rest, part, r) + (low - k * LN2_LOW))
    r *= SHRUNK
    # 1 + r + r^2/2 in two doubles, the further terms in one
    half = 0.5 * r * r
    further = r * r * r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * (1 / 5040 + r / 40320)))))
    small = r + half
    e_low = _sum_error(r, half, small) + (0.5 * _product_error(r, r, r * r) + (r_low + r * r_low)) + further
    one = 1.0 + small
    e_low += small - (one - 1.0)
    e = one + e_low
    e_low -= e - one
    for _ in range(SQUARINGS):
        square = e * e
        e_low = _product_error(e, e, square) + 2.0 * e * e_low
        e = square + e_low
        e_low -= e - square
    square = factor * e
    e_low = _product_error(factor, e, square) + factor * e_low
    while k > 0.0:
        square, e_low, k = square * 2.0, e_low * 2.0, k - 1.0
    while k < 0.0:
        square, e_low, k = square * 0.5, e_low * 0.5, k + 1.0
    return (square - less) + (_sum_error(square, -less, square - less) + e_low)


def _sum_error(a: float, b: float, total: float) -> float:
    """What rounding took from a + b = total (Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B)."""
    other = total - a
    return (a - (total - other)) + (b - other)


def _product_error(a: float, b: float, product: float) -> float:
    """What rounding took from a * b = product (Dekker 1971, section 5)."""
    a_high = SPLITTER * a - (SPLITTER * a - a)
    b_high = SPLITTER * b - (SPLITTER * b - b)
    a_low, b_low = a - a_high, b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
