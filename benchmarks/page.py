"""What a reader of the explorer's page waits for, in headless Chromium: the first picture, the next one, a drag."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.results import spread
from workbook.site.explorer import explorer

Json = dict[str, object]

OPENINGS: Final = 7
STEPS: Final = 30  # of a slider, by key
DRAGS: Final = 12
DRAG_MOVES: Final = 40  # of the mouse, from one end of a slider to the other
SETTLED_MS: Final = 300  # after the last move: its work may still be under way, and is the drag's, too
SLIDERS: Final = ("bn-buffer_packets", "bn-rate_mbps", "bn-delay_ms", "bn-window_packets")
FLAGS: Final = ("--disable-gpu", "--disable-background-networking", "--no-first-run")

# A picture is there when the browser has painted the frame after it was drawn. A block is the longest time between two
# messages that the page sends itself: nothing else runs meanwhile.
WATCH: Final = """
window.pictures = []; window.asked = null;
addEventListener("keydown", () => { window.asked = performance.now(); }, true);
new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
  window.pictures.push(performance.now() - (window.asked ?? 0));
}))).observe(document, {subtree: true, attributes: true, attributeFilter: ["data-drawn"]});
const {port1, port2} = new MessageChannel();
let last = performance.now();
window.block = 0;
port1.onmessage = () => {
  const now = performance.now();
  window.block = Math.max(window.block, now - last);
  last = now;
  port2.postMessage(null);
};
window.blocks = () => { window.block = 0; last = performance.now(); port2.postMessage(null); };
"""


def page_ms() -> Json:
    """Milliseconds until the first picture, from a key to its picture, and of a drag's longest block; or why not."""
    if shutil.which("chromium") is None:
        return {"missing": "chromium is not installed"}
    try:
        from playwright.sync_api import sync_playwright  # comes with the studio's packages
    except ImportError:
        return {"missing": "playwright is not installed (make studio)"}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "explore.html"
        file.write_text(explorer(), "utf-8")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=_flags())
        found = _measured(browser, file.as_uri())
        browser.close()
    return found


def _measured(browser: Any, address: str) -> Json:
    first = []
    for _ in range(OPENINGS):
        with _opened(browser, address) as page:
            first.append(page.evaluate("window.pictures[0]"))
    with _opened(browser, address) as page:
        followed = [_followed_ms(page, step) for step in range(STEPS)]
        blocked = [_blocked_ms(page, drag) for drag in range(DRAGS)]
        version = browser.version
    return {
        "browser": f"Chromium {version}",
        "first": spread(first),
        "slider": spread(followed),
        "drag": spread(blocked),
    }


@contextmanager
def _opened(browser: Any, address: str) -> Iterator[Any]:
    """The page, opened with nothing kept of earlier ones, when its first picture is there."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("window.pictures.length > 0")
    yield page
    context.close()


def _followed_ms(page: Any, step: int) -> float:
    """From a key to the picture of its setting."""
    page.locator(f"#{SLIDERS[step % len(SLIDERS)]}").focus()
    page.evaluate("window.pictures = []")
    page.keyboard.press("ArrowRight" if step // len(SLIDERS) % 2 else "ArrowLeft")
    page.wait_for_function("window.pictures.length > 0")
    return float(page.evaluate("window.pictures[0]"))


def _blocked_ms(page: Any, drag: int) -> float:
    """The longest block while a slider is dragged from one end to the other."""
    box = page.locator(f"#{SLIDERS[drag % len(SLIDERS)]}").bounding_box()
    height = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8, height)
    page.mouse.down()
    page.evaluate("window.blocks()")
    page.mouse.move(box["x"] + box["width"] - 8, height, steps=DRAG_MOVES)
    page.wait_for_timeout(SETTLED_MS)
    longest = float(page.evaluate("window.block"))
    page.mouse.up()
    return longest


def _flags() -> list[str]:
    return [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else list(FLAGS)
