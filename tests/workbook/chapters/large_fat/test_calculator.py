"""Will it fit? The answer in words, the sliders and the button, without a browser."""

from base64 import b64decode

import pytest

from workbook.chapters.large_fat.calculator import Calculator, Point, needed, simulated, verdict
from workbook.chapters.large_fat.lab import Lab

# OC-12 over 158 ms, its window, half a megabyte: in the forbidden area of slide 6.
SLIDE = Point(1000.0, 622.08, 158.0, 500_000.0, 8190)


@pytest.mark.parametrize(
    ("point", "said", "loses"),
    [
        (SLIDE, "It doesn't fit", True),
        (SLIDE._replace(memory_bytes=4_700_000.0), "It fits", False),
        (SLIDE._replace(window=800), "It fits", False),
        (SLIDE._replace(slow_mbps=51.84, window=682), "TCP's slow start fits, a burst at full speed doesn't", False),
        (SLIDE._replace(slow_mbps=51.84, window=1100), "It doesn't fit", True),
        (SLIDE._replace(slow_mbps=1200.0), "It fits", False),
    ],
)
def test_the_answer_is_what_the_simulation_says(lab: Lab, point: Point, said: str, loses: bool) -> None:
    assert verdict(point, 1500).startswith(said)
    assert simulated(lab, point).startswith("Simulated for 10 s: 0 packets lost") != loses


def test_what_is_more_than_the_path_holds_waits_however_slowly_it_comes() -> None:
    tight = SLIDE._replace(slow_mbps=990.0, window=20_000)
    assert needed(tight, 1500).slow_start_bytes >= (20_000 - 13_035) * 1500


def test_sliders_move_the_point_and_the_button_simulates_it(lab: Lab) -> None:
    calculator = Calculator(lab)
    assert calculator.words.value.startswith("It doesn't fit")
    before = bytes(calculator.picture.value)
    assert before.startswith(b"\x89PNG")
    calculator.button.click()
    assert "packets lost" in calculator.result.value
    calculator.window.value = 800
    assert calculator.words.value.startswith("It fits")
    assert bytes(calculator.picture.value) != before
    assert calculator.result.value == "", "the old result is not that of the new point"
    assert calculator.panel.children[:5] == calculator.sliders


def test_without_widgets_a_notebook_shows_the_picture(lab: Lab) -> None:
    shown = Calculator(lab)._repr_mimebundle_(include=None, exclude=None)
    assert b64decode(shown["image/png"]).startswith(b"\x89PNG")
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert shown["text/plain"].startswith("It doesn't fit")
