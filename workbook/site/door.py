"""The front door: the first story, live, and the ways to the explorer, the book and the course."""

import re
from collections.abc import Collection, Iterator
from html import escape
from random import Random
from typing import Final, NamedTuple

from workbook.site.controls import slider
from workbook.site.explorer import positions, start_of, tale_of
from workbook.site.grid import Family
from workbook.site.page import page
from workbook.site.stories import stories

TITLE: Final = "The bottleneck workbook"
LEAD: Final = "What happens when several senders share one slow link? Six studies, packet by packet, in your browser."
TRIES: Final = 10
WAYS: Final = re.compile(r'<nav id="bn-ways".*?</nav>', re.DOTALL)
BOOK: Final = re.compile(r'data-book="[^"]*"')


class Way(NamedTuple):
    """A part of the site: its page, what it is called, what is behind it, and what makes it."""

    page: str
    name: str
    title: str
    about: str
    made_by: str


HOME: Final = Way("index.html", "Home", TITLE, "", "make site")
DOORS: Final = (
    Way(
        "explore.html",
        "Play",
        "The explorer",
        "All stories, one to five senders of any kind, every queue.",
        "make site",
    ),
    Way(
        "book/index.html",
        "Read",
        "The book",
        "Chapters on published studies: each number, and whether it came out.",
        "make book",
    ),
    Way(
        "course/index.html",
        "Teach",
        "The course",
        "Six weeks: slides, figures to turn, and labs that grade themselves.",
        "make course",
    ),
)


def door(there: Collection[str]) -> str:
    """The HTML of the front page, where these pages are `there`. Raises StoryError and GridError."""
    (name, story), *others = stories().items()
    first = next(iter(story.settings().values()))
    control = slider("buffer_packets")
    at = positions(first, [control])
    assert at is not None
    family = Family(first, [control], at)
    family.check(TRIES, Random(1))
    start, tale = start_of(story.title, first, [family]), tale_of(name, story, [family])
    assert start, f"{name}: the first run is what it starts from"
    assert tale, f"{name}: the first story is told with no other control than its runs need"
    further = [{"name": each, "title": other.title} for each, other in others]
    made = page(TITLE, [family], start, tales=[tale], further=further, doors=_doors(there))
    return joined(made, there, "explore.html")


def joined(html: str, there: Collection[str], own: str) -> str:
    """The explorer or the front page, with ways to the other of both, its `own`, and to the pages that are `there`."""
    ways = "".join(f'<a href="{way.page}">{way.name}</a>' for way in (HOME, *DOORS) if way.page in (*there, own))
    html = WAYS.sub(f'<nav id="bn-ways" aria-label="The workbook">{ways}</nav>', html)
    return BOOK.sub(f'data-book="{"book/" if "book/index.html" in there else ""}"', html)


def with_way_back(html: str, depth: int) -> str:
    """A page of the book or the course, so many folders below the front page, with a way back to it."""
    look = (
        "position: fixed; left: 12px; bottom: 12px; z-index: 2000; padding: 5px 13px; border-radius: 99px; "
        "background: #1d2433; color: #fff; font: 13px system-ui, sans-serif; text-decoration: none"
    )
    link = f'<a href="{"../" * depth}index.html" style="{look}">{TITLE}</a>'
    return re.sub(r"(<body\b[^>]*>)", lambda body: body[1] + link, html, count=1)


def _doors(there: Collection[str]) -> str:
    return f'<section id="bn-doors" aria-label="Where to go on">{"".join(_cards(there))}</section>'


def _cards(there: Collection[str]) -> Iterator[str]:
    for way in DOORS:
        inside = f"<b>{way.name}</b><span>{escape(way.title)}</span><small>{escape(way.about)}</small>"
        if way.page in (*there, "explore.html"):
            yield f'<a class="bn-way" href="{way.page}">{inside}</a>'
        else:
            yield f'<div class="bn-way">{inside}<small>Not made yet: <code>{way.made_by}</code></small></div>'
