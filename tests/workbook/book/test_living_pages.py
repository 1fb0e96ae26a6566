"""Living figures in the book: pages of their own that share one script."""

import re
from pathlib import Path

import nbformat

from workbook.book.living_pages import write_living
from workbook.site.living import living


def test_figures_become_pages_that_share_the_engine(tmp_path: Path) -> None:
    cases = {case: living("two-tcp", case, [name]) for case, name in (("buffer-5", "buffer"), ("baseline", "delay"))}
    for case, figure in cases.items():
        shown = nbformat.v4.new_output("display_data", {"text/html": figure._repr_html_()})
        cell = nbformat.v4.new_code_cell(outputs=[shown], id=case)
        write_living(cell, "two-tcp", tmp_path)
        html = cell.outputs[0].data["text/html"]
        assert f'src="../living/two-tcp-{case}.html"' in html
        assert "srcdoc" not in html
    folder = tmp_path / "extra" / "living"
    [script] = folder.glob("shared-*.js")
    for case, figure in cases.items():
        page = (folder / f"two-tcp-{case}.html").read_text("utf-8")
        assert len(page) < len(figure.html) / 3
        assert re.findall(r'src="([^"]+)"', page) == [script.name]
        whole = page.replace(f'<script src="{script.name}">', f'<script id="bn-shared">{script.read_text("utf-8")}')
        assert whole == figure.html


def test_other_outputs_stay_as_they_are(tmp_path: Path) -> None:
    shown = nbformat.v4.new_output("display_data", {"text/html": "<table></table>"})
    cell = nbformat.v4.new_code_cell(outputs=[shown])
    write_living(cell, "two-tcp", tmp_path)
    assert cell.outputs[0].data == {"text/html": "<table></table>"}
    assert not (tmp_path / "extra").exists()
