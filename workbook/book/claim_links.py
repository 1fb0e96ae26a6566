"""Links between claims, figures and cells, as the book has them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

import nbformat

from workbook.ledger.judgment import Judgment

FIGURE: Final = re.compile(r'href="\.\./figures/([\w.-]+)/([\w.-]+)/([\w.-]+)\.(?:png|json)"')
CELL: Final = re.compile(r'href="([\w.-]+\.ipynb)#(cell-id=[\w-]+)"')


def place_of(cell: Any) -> Any:
    """What stands before a cell, so that NOTEBOOK#cell-id=NAME leads to it in the book as it does in JupyterLab."""
    return nbformat.v4.new_markdown_cell(f'<a id="cell-id={cell.id}"></a>')


def follow_claims(cell: Any, pages: Mapping[str, str]) -> None:
    """Let a table of claims in a cell's output link to the book's pages of figures, and to places in `pages`."""
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "text/html" in data:
            html = FIGURE.sub(_to_figure, "".join(data["text/html"]))
            data["text/html"] = CELL.sub(lambda link: _to_cell(link, pages), html)


def _to_figure(link: re.Match[str]) -> str:
    chapter, case, stem = link.groups()
    place = f"{chapter}-{case}" if stem == "statistics" else f"{chapter}-{case}-{stem}"
    return f'href="figures-{chapter}.html#{place.lower()}"'


def _to_cell(link: re.Match[str], pages: Mapping[str, str]) -> str:
    page = pages.get(link[1])
    return f'href="{PurePosixPath(page).stem}.html#{link[2]}"' if page else link[0]


def decided(judgments: Sequence[Judgment]) -> Iterator[str]:
    """The claims that a figure decides, to unfold below it."""
    if judgments:
        yield f"````{{dropdown}} Decides {len(judgments)} {'claim' if len(judgments) == 1 else 'claims'}"
        for each in judgments:
            page = f"claims-{each.claim.id.partition('.')[0]}.html#{each.claim.id}"
            yield f'- <a href="{page}">{each.claim.id}</a> ({each.verdict})'
        yield from ("````", "")
