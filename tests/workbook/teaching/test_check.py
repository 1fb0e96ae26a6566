"""What a graded cell says of an answer: right on one side of the tolerance, wrong on the other, and never the key."""

from collections.abc import Callable

import numpy as np
import pytest
import xarray as xr

from workbook.teaching import check


@pytest.mark.parametrize("answer", [1, 1.5, np.float64(2), np.int64(3), xr.DataArray(4.0), True])
def test_whatever_is_a_number_will_do(answer: object) -> None:
    assert repr(check.number(answer)) == "The form is right; it is graded later."
    check.close(answer, float(answer))  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [..., None, "fast", [1, 2], {}, float("nan"), float("inf"), 10**400])
def test_anything_else_is_refused_in_plain_words(answer: object) -> None:
    with pytest.raises(AssertionError, match="must be a"):
        check.number(answer)


def test_close_allows_so_many_percent_of_the_key() -> None:
    check.close(101, 100, percent=1)
    with pytest.raises(AssertionError, match=r"the answer is 101\.5, which is not right"):
        check.close(101.5, 100, percent=1)


def test_near_allows_so_much() -> None:
    check.near(10.5, 10, within=0.5)
    check.near(10, 10, within=0)
    with pytest.raises(AssertionError, match="not right"):
        check.near(11, 10, within=0)


def test_a_choice_is_one_of_the_options_and_the_key_if_there_is_one() -> None:
    check.choice("a", ["a", "b"])
    check.choice(False, [True, False], key=False)
    with pytest.raises(AssertionError, match="the answer is 'c'; must be one of 'a', 'b'"):
        check.choice("c", ["a", "b"])
    with pytest.raises(AssertionError, match="'a', which is not right"):
        check.choice("a", ["a", "b"], key="b")


def test_a_dict_has_a_number_for_every_name_and_may_have_more() -> None:
    assert check.numbers({1: 2, "more": "words"}, [1]) is check.FINE
    with pytest.raises(AssertionError, match="says nothing of 3"):
        check.numbers({1: 2}, [1, 3])
    with pytest.raises(AssertionError, match="must be a dict with the keys"):
        check.numbers([2], [1])


def test_a_function_can_be_called() -> None:
    assert check.function(print) is check.FINE
    with pytest.raises(AssertionError, match="the answer is 3; it must be a function"):
        check.function(3)


def test_where_it_is_graded_answer_and_key_are_told() -> None:
    with check.comparing() as compared, pytest.raises(AssertionError):
        check.each({"a": 1, "b": 3}, {"a": 1, "b": 2}, percent=5)
    assert compared == [
        ("the answer for 'a'", "1", "1 ± 5 %", True),
        ("the answer for 'b'", "3", "2 ± 5 %", False),
    ]


def test_each_names_the_wrong_one() -> None:
    check.each({"a": 1, "b": 2.01}, {"a": 1, "b": 2}, percent=1)
    with pytest.raises(AssertionError, match="the answer for 'b' is 3"):
        check.each({"a": 1, "b": 3}, {"a": 1, "b": 2}, percent=1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: check.close(1, 123.456),
        lambda: check.near(1, 123.456, within=1),
        lambda: check.choice("a", ["a", "b"], key="123.456"),
        lambda: check.each({"x": 1}, {"x": 123.456}),
    ],
)
def test_no_message_gives_the_key_away(wrong: Callable[[], None]) -> None:
    with pytest.raises(AssertionError) as refused:
        wrong()
    assert isinstance(refused.value, check.NotRight)
    [line] = refused.value._render_traceback_()  # all that a student sees
    assert line.startswith("Not yet: ")
    assert "123.456" not in line
