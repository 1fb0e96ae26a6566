"""A bar hands all items on, and is silent where nobody looks."""

import io
import sys

import pytest

from workbook.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_all_items_come_in_their_order_and_nothing_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(progress(["a", "b", "c"], "letters")) == ["a", "b", "c"]
    assert capfd.readouterr() == ("", "")


def test_on_a_terminal_it_tells_what_it_does_unless_it_is_disabled(monkeypatch: pytest.MonkeyPatch) -> None:
    for disabled, told in (("", True), ("1", False)):
        monkeypatch.setattr(sys, "stderr", terminal := Terminal())
        monkeypatch.setenv("TQDM_DISABLE", disabled)
        assert list(progress([1, 2], "letters")) == [1, 2]
        assert ("letters" in terminal.getvalue()) is told
