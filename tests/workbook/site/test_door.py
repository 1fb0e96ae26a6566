"""The front page: what it leads to, where it is there; and the ways between the pages."""

import gzip
import re

from workbook.site.door import DOORS, door, joined, with_way_back
from workbook.site.stories import stories
from workbook.site.tales import chapter_of

MOST_BYTES = 300_000  # what a first picture may cost


def test_it_leads_to_what_is_there_and_says_how_the_rest_is_made() -> None:
    html = door(["book/index.html"])
    assert re.findall(r'<a class="bn-way" href="([^"]+)">', html) == ["explore.html", "book/index.html"]
    assert "Not made yet: <code>make course</code>" in html
    assert '<a href="explore.html">Play</a><a href="book/index.html">Read</a></nav>' in html
    assert 'data-book="book/"' in html
    assert len(gzip.compress(html.encode())) < MOST_BYTES / 2


def test_a_page_is_joined_to_what_is_there_also_a_second_time() -> None:
    page = '<body data-book=""><nav id="bn-ways" aria-label="x"></nav>'
    first = joined(page, [], "index.html")
    assert first == '<body data-book=""><nav id="bn-ways" aria-label="The workbook"><a href="index.html">Home</a></nav>'
    both = joined(first, [way.page for way in DOORS[1:]], "index.html")
    assert re.findall('href="([^"]+)"', both) == ["index.html", "book/index.html", "course/index.html"]
    assert joined(both, [], "index.html") == first


def test_the_way_back_leads_up_as_far_as_the_page_is_below() -> None:
    page = with_way_back('<html><body class="a b">text</body></html>', 2)
    assert page.startswith('<html><body class="a b"><a href="../../index.html"')
    assert page.endswith(">The bottleneck workbook</a>text</body></html>")


def test_each_story_leads_to_its_chapters_page_in_the_book() -> None:
    pages = {name: chapter_of(story)["page"] for name, story in stories().items()}
    assert pages["fifth-packet"] == "pages/two-tcp.html"
