"""HTML pages that are complete in themselves: no network, no other file, and a browser loads nothing."""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import Final, Protocol, cast

from workbook.teaching.box.slides import Slide

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
LINK: Final = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)\s]+\)")  # to other files: they are not beside this page
STYLE: Final = """
body { font: 17px/1.5 sans-serif; max-width: 54em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
h1, h2, h3 { line-height: 1.2; } pre { background: #f4f4f4; padding: 0.6em; overflow-x: auto; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: 0.2em 1.2em 0.2em 0; }
"""
SLIDES_STYLE: Final = """
* { box-sizing: border-box; } html { font: min(2.1vw, 3.6vh)/1.35 sans-serif; color: #222; background: #fff; }
body { margin: 0; } h1 { font-size: 1.7rem; margin: 0 0 0.6em; line-height: 1.15; }
section { width: 100vw; height: 100vh; padding: 3vh 4vw; overflow: hidden; display: none; flex-direction: column; }
section.shown { display: flex; } main { display: flex; gap: 3vw; flex: 1; min-height: 0; align-items: center; }
.words { flex: 1; font-size: 1rem; } .beside .words { flex: 0 0 34%; font-size: 0.78rem; }
figure { flex: 1; margin: 0; height: 100%; display: flex; flex-direction: column; min-width: 0; }
figure img { flex: 1; min-height: 0; object-fit: contain; } figcaption { font-size: 0.6rem; color: #555; }
footer { font-size: 0.55rem; color: #777; display: flex; justify-content: space-between; }
@media print { section { display: flex; break-after: page; } }
"""
SCRIPT: Final = """
const slides = [...document.querySelectorAll("section")];
const at = () => Math.min(Math.max(parseInt(location.hash.slice(1)) || 1, 1), slides.length);
// Words that are too long for the slide become smaller, until they fit.
const fit = slide => {
  const words = slide.querySelector(".words"), room = slide.querySelector("main");
  if (!words) return;
  words.style.fontSize = "";
  let size = parseFloat(getComputedStyle(words).fontSize);
  while (size > 10 && words.scrollHeight > room.clientHeight) words.style.fontSize = `${size *= 0.96}px`;
};
const show = () => slides.forEach((slide, i) => {
  slide.classList.toggle("shown", i === at() - 1);
  if (i === at() - 1) fit(slide);
});
const go = step => { location.hash = Math.min(Math.max(at() + step, 1), slides.length); };
addEventListener("hashchange", show);
addEventListener("resize", show);
addEventListener("keydown", event => {
  if (["ArrowRight", "ArrowDown", "PageDown", " ", "Enter"].includes(event.key)) go(1);
  else if (["ArrowLeft", "ArrowUp", "PageUp", "Backspace"].includes(event.key)) go(-1);
  else if (event.key === "Home") go(-slides.length);
  else if (event.key === "End") go(slides.length);
  else return;
  event.preventDefault();
});
addEventListener("click", event => event.target.closest("a") || go(event.clientX < innerWidth / 3 ? -1 : 1));
show();
"""


class Markdown(Protocol):
    """What makes HTML of Markdown."""

    def __call__(self, text: str) -> str: ...


@cache
def _markdown() -> Markdown:
    """The one that nbconvert has: it comes with the studio's packages."""
    from mistune import create_markdown

    return cast(Markdown, create_markdown(plugins=["table"]))


def html_of(text: str) -> str:
    """Markdown as HTML; links to the workbook's files become plain words."""
    return _markdown()(LINK.sub(r"\1", text))


def page(title: str, body: str) -> str:
    """A page to read."""
    return _document(title, STYLE, f"<h1>{escape(title)}</h1>\n{body}")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return f"<table><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>\n{body}</table>\n"


def slide_show(title: str, slides: Sequence[Slide], living: str) -> str:
    """Slides: arrow keys, space or clicks turn them, and they print a slide a page. `living` is a page to link to."""
    link = f'<a href="{escape(living)}">a figure to turn</a>' if living else ""
    sections = [
        _slide(slide, f"<span>{escape(title)}</span>{link}<span>{number} / {len(slides)}</span>")
        for number, slide in enumerate(slides, 1)
    ]
    return _document(title, SLIDES_STYLE, "".join(sections) + f"<script>{SCRIPT}</script>")


def _slide(slide: Slide, footer: str) -> str:
    words = f'<div class="words">{html_of(slide.text)}</div>' if slide.text else ""
    attribute = ' class="beside"' if slide.picture else ""
    return (
        f"<section><h1>{escape(slide.title)}</h1><main{attribute}>{words}{_figure(slide)}</main>"
        f"<footer>{footer}</footer></section>\n"
    )


def _figure(slide: Slide) -> str:
    if slide.picture is None:
        return ""
    data = b64encode(slide.picture.path.read_bytes()).decode()
    image = f'<img alt="{escape(slide.picture.alt)}" src="data:image/png;base64,{data}">'
    return f"<figure>{image}<figcaption>{escape(slide.picture.caption)}</figcaption></figure>"


def _document(title: str, style: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<style>{style}</style></head>\n'
        f"<body>{body}</body></html>\n"
    )
