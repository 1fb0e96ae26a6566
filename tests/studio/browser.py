"""What the tests in a real browser look at in the explorer."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

PATIENCE_MS = 120_000  # a notebook's first run, on a busy machine
SETTLED_MS = 400  # without a new picture: the last one is that of the setting

# When each picture was drawn after the key that asked for it.
WATCH = """() => {
  window.latencies = [];
  let pressed = null;
  document.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed !== null) window.latencies.push(performance.now() - pressed);
    pressed = null;
  }).observe(document.querySelector(".bn-explore"), {attributes: true, attributeFilter: ["data-drawn"]});
}"""
RESTED = ".bn-explore[aria-busy=false]"  # the page shows what its controls say
TABLE = """() => Object.fromEntries([...document.querySelectorAll(".bn-numbers tbody tr")].map(
  row => [row.dataset.row, [...row.querySelectorAll("td")].map(cell => cell.textContent)]))"""
# What is wider than its place, of what a selector finds: its class, its width and that of the place.
CUT_OFF = """selector => [...document.querySelectorAll(selector)].filter(each => each.scrollWidth > each.clientWidth)
  .map(each => [each.className, each.scrollWidth, each.clientWidth])"""
# Is something drawn within two pixels of each point? Axes are paler than that.
DRAWN_AT = """([name, points]) => {
  const canvas = document.querySelector(`canvas[data-chart=${name}]`), pen = canvas.getContext("2d");
  const ratio = canvas.width / canvas.clientWidth;
  return points.map(([x, y]) => {
    const found = pen.getImageData(Math.round((x - 2) * ratio), Math.round((y - 2) * ratio), 5, 5).data;
    return found.some((value, i) => i % 4 === 3 && value > 100);
  });
}"""


def foreign_requests(page: Any) -> list[str]:
    """A list that fills with the addresses elsewhere that a page asks for."""
    asked: list[str] = []
    own = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "about:")
    page.on("request", lambda request: None if request.url.startswith(own) else asked.append(request.url))
    return asked


def opened_settings(page: Any) -> None:
    """On a phone the settings are a sheet, which is opened."""
    if page.locator("#bn-open").is_visible():
        page.locator("#bn-open").click()


def steps(page: Any, label: str, keys: Sequence[str]) -> None:
    """Move a slider with the keyboard, and wait until the picture has followed."""
    page.locator(".widget-slider", has_text=label).locator(".noUi-handle").focus()
    for key in keys:
        before = page.evaluate("document.querySelector('.bn-explore').dataset.drawn")
        page.keyboard.press(key)
        page.wait_for_function("before => document.querySelector('.bn-explore').dataset.drawn !== before", arg=before)
    page.wait_for_timeout(SETTLED_MS)


@contextmanager
def watched(page: Any) -> Iterator[None]:
    """What a page does meanwhile raises no error, and asks for nothing elsewhere."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    elsewhere = foreign_requests(page)
    yield
    assert problems == []
    assert [address for address in elsewhere if not address.startswith("file:")] == []


def shown(page: Any, address: str, size: tuple[int, int] = (1400, 900)) -> None:
    """Open an address anew."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(RESTED + "[data-drawn]")
