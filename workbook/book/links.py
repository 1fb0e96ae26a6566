"""Links between notebooks, as links between pages of the book."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from nbformat import NotebookNode

LINK: Final = re.compile(r"(?<!!)\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]+)\)")
ELSEWHERE: Final = re.compile(r"[a-z]+:|#")  # an address with a scheme, or a place on the same page


def follow(notebook: NotebookNode, pages: Mapping[str, str]) -> None:
    """Let the text of a notebook link to pages of the book; `pages` has a page for a notebook's file name.

    What is not in this book, as the explorer or a lab that was not built, becomes plain words.
    """
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(lambda link: _followed(link, pages), cell.source)


def _followed(link: re.Match[str], pages: Mapping[str, str]) -> str:
    if ELSEWHERE.match(link["target"]):
        return link[0]
    page = pages.get(PurePosixPath(link["target"]).name)
    return f"[{link['words']}]({page})" if page else link["words"]
