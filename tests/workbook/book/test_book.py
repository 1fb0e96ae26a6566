"""The book's source: pages from what the chapters left behind, and every figure linked to where it came from."""

import json
import re
from pathlib import Path

import nbformat
import pytest
import yaml
from click.testing import CliRunner

import simcore
from simcore import metrics
from simcore.scenario.schema import scenario_schema
from tests.workbook.book.books import CHAPTER, executed_workbook
from workbook.book.claim_links import follow_claims
from workbook.book.links import follow
from workbook.book.source import assemble
from workbook.chapters.glossary import GLOSSARY, words
from workbook.ledger import scorecard, source_names
from workbook.paths import REPO, Places


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("workbook")
    labs = root / "labs"
    (labs / "lab1").mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), labs / "lab1" / "lab1-pipe.ipynb")
    assemble(executed_workbook(root), labs, root / "source")
    return root / "source"


def test_every_part_of_the_workbook_has_its_page(source: Path) -> None:
    contents = yaml.safe_load((source / "_toc.yml").read_text())
    parts = {part["caption"]: [page["file"] for page in part["chapters"]] for part in contents["parts"]}
    assert parts.pop("Chapters") == [f"pages/{CHAPTER}"]
    assert parts.pop("Labs") == ["pages/lab1-pipe", "pages/teaching", "pages/littlest-jupyterhub"]
    assert parts.pop("Scorecard") == ["pages/scorecard"]
    references = ["glossary", "scenario-file", "api-simcore", "api-simcore-metrics", "bibliography"]
    assert parts.pop("Reference") == [f"pages/{name}" for name in references]
    assert parts.pop("Your own study") == ["pages/your-own-study"]
    reasons = [f"pages/{path.stem}" for path in sorted(REPO.docs.glob("*.md"))]
    assert parts.pop("Why it is so") == [
        page for page in reasons if page not in ("pages/your-own-study", "pages/teaching", "pages/littlest-jupyterhub")
    ]
    assert parts == {}
    named = [page["file"] for part in contents["parts"] for page in part["chapters"]]
    named += [
        page["file"] for part in contents["parts"] for one in part["chapters"] for page in one.get("sections", [])
    ]
    assert all(list(source.glob(f"{name}.*")) for name in named)


def test_what_forges_draw_and_links_to_sources_stay_with_the_sources(source: Path) -> None:
    text = (source / "pages" / "architecture.md").read_text("utf-8")
    assert "](../" in (REPO.docs / "architecture.md").read_text("utf-8")
    assert ("mermaid" in text, "](../" in text) == (False, False)
    assert text.count("(The picture is in docs/architecture.md, where a forge draws it.)") == 2
    assert "- simcore/rules: The rulebook" in text
    assert "[design.md](design.md)" in text


def test_the_bibliography_has_every_source(source: Path) -> None:
    entries = yaml.safe_load((source / "_config.yml").read_text())["bibtex_bibfiles"]
    assert entries == [f"files/{name}.bib" for name in source_names()]
    assert all((source / entry).is_file() for entry in entries)


def test_a_chapter_shows_its_figures_with_links_and_hides_its_machinery(source: Path) -> None:
    page = nbformat.read(source / "pages" / f"{CHAPTER}.ipynb", as_version=4)
    tags = [set(cell.metadata.get("tags", [])) for cell in page.cells]
    assert not any("parameters" in each for each in tags)
    assert all("hide-input" in each for each, cell in zip(tags, page.cells, strict=True) if cell.cell_type == "code")
    place = next(i for i, cell in enumerate(page.cells) if cell.get("outputs"))
    caption = json.loads((REPO.figures / CHAPTER / "baseline/provenance.json").read_text())["figures"]["cwnd"]
    assert page.cells[place + 1].source == f"- {caption} [Parameters and provenance](#two-tcp-baseline-cwnd)"


def test_every_figure_of_a_chapter_stands_beside_its_scenario(source: Path) -> None:
    text = (source / "pages" / f"figures-{CHAPTER}.md").read_text()
    drawn = sorted((REPO.figures / CHAPTER).glob("*/*.png"))
    assert text.count("{figure}") == len(drawn) > 0
    for path in drawn:
        assert f"../files/{CHAPTER}/{path.parent.name}/{path.name}\n" in text
        assert (source / "files" / CHAPTER / path.parent.name / path.name).read_bytes() == path.read_bytes()
    scenario = json.loads((REPO.figures / CHAPTER / "baseline/provenance.json").read_text())["scenario"]
    assert yaml.safe_dump(scenario, sort_keys=False) in text


def test_every_claim_is_listed_with_its_verdict(source: Path) -> None:
    for verdicts in scorecard().sources:
        text = (source / "pages" / f"claims-{verdicts.source.key}.md").read_text()
        assert [each.claim.id for each in verdicts.judgments if f'\n| <a id="{each.claim.id}"></a>“' not in text] == []
        assert f"## Reproduced ({verdicts.count('reproduced')})" in text
    assert scorecard().to_markdown() in (source / "pages" / "scorecard.md").read_text()


def test_a_figure_leads_to_its_claims_and_a_claim_to_its_cell(source: Path) -> None:
    figures = (source / "pages" / f"figures-{CHAPTER}.md").read_text()
    latency = figures.split("two-tcp-baseline-latency\n")[1].split("{figure}")[0]
    assert '<a href="claims-two-tcp.html#two-tcp.baseline.words.latency-same">' in latency
    page = nbformat.read(source / "pages" / f"{CHAPTER}.ipynb", as_version=4)
    places = [cell.source for cell in page.cells if cell.source.startswith("<a id=")]
    code = [cell for cell in page.cells if cell.cell_type == "code"]
    assert places == [f'<a id="cell-id={cell.id}"></a>' for cell in code]


def test_a_table_of_claims_links_within_the_book() -> None:
    links = '<a href="../figures/two-tcp/size-100/latency.png"> <a href="../figures/two-tcp/all/statistics.json">'
    shown = nbformat.v4.new_output("display_data", {"text/html": links + CELL_LINKS})
    cell = nbformat.v4.new_code_cell(outputs=[shown])
    follow_claims(cell, {"02-two-tcp.ipynb": "two-tcp.ipynb"})
    assert re.findall('href="(.*?)"', cell.outputs[0].data["text/html"]) == [
        "figures-two-tcp.html#two-tcp-size-100-latency",
        "figures-two-tcp.html#two-tcp-all",
        "two-tcp.html#cell-id=cell-16",
        "elsewhere.ipynb#cell-id=a",
    ]


CELL_LINKS = '<a href="02-two-tcp.ipynb#cell-id=cell-16"> <a href="elsewhere.ipynb#cell-id=a">'


def test_every_field_of_a_scenario_has_its_line(source: Path) -> None:
    text, schema = (source / "pages" / "scenario-file.md").read_text(), scenario_schema()
    for part in (schema, *schema["$defs"].values()):
        for name, said in part["properties"].items():
            assert f"\n| `{name}` | {said.get('description', '')} |" in text
    assert (
        "| `rate_mbps` | bits a second in each direction, headers included | Mb/s | number, above 0 and at most" in text
    )


def test_every_public_name_of_the_library_is_on_its_page(source: Path) -> None:
    for module in (simcore, metrics):
        text = (source / "pages" / f"api-{module.__name__.replace('.', '-')}.md").read_text()
        documented = [name for name in module.__all__ if callable(getattr(module, name))]
        assert all(
            re.search(rf"^\.\. auto\w+:: {module.__name__}\.{name}\b", text, re.MULTILINE) for name in documented
        )


def test_chapters_explain_words_of_the_glossary_which_has_its_page(source: Path) -> None:
    text = (source / "pages" / "glossary.md").read_text()
    assert re.findall(r"^(\S.*)\n  \S", text, re.MULTILINE) == sorted(GLOSSARY, key=str.lower)
    explained = []
    for notebook in sorted((REPO.root / "notebooks").glob("0[1-9]-*.ipynb")):
        code = [cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
        [shown] = [re.findall(r'"([^"]+)"', cell) for cell in code if cell.startswith("words(")]
        explained += shown
    assert set(explained) <= set(GLOSSARY)
    assert words("cwnd").data == f"**Words.** *cwnd*: {GLOSSARY['cwnd']}."


def relative_links(page: Path) -> list[str]:
    """What the text of a page links to, without places on the same page and what has a scheme."""
    if page.suffix == ".ipynb":
        cells = nbformat.read(page, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    else:
        text = page.read_text("utf-8")
    found = re.findall(r"\]\((?!#|[a-z]+:)([^)\s]+)\)|\{download\}`[^<`]*<([^>]+)>`|\{figure\} (\S+)", text)
    return ["".join(each) for each in found]


def test_every_link_leads_to_a_file_of_the_book(source: Path) -> None:
    pages = [*source.glob("*.md"), *source.glob("pages/*")]
    links = [(page, link) for page in pages for link in relative_links(page)]
    assert len(links) > 10
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_a_notebook_links_to_pages_and_what_is_not_in_the_book_is_plain_words() -> None:
    text = "Lab [3](labs/3-fair.ipynb), [next](03-udp.ipynb), [by hand](explore.ipynb), [RFC](https://a), [top](#top)."
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text), nbformat.v4.new_code_cell(text)])
    follow(notebook, {"3-fair.ipynb": "3-fair.ipynb", "03-udp.ipynb": "udp.ipynb"})
    linked, code = (cell.source for cell in notebook.cells)
    assert linked == "Lab [3](3-fair.ipynb), [next](udp.ipynb), by hand, [RFC](https://a), [top](#top)."
    assert code == text


def test_a_chapter_that_was_not_executed_yet_is_named(tmp_path: Path) -> None:
    places = executed_workbook(tmp_path)
    places.executed("02-two-tcp.ipynb").unlink()
    with pytest.raises(FileNotFoundError, match=r"02-two-tcp\.ipynb"):
        assemble(places, tmp_path / "labs", tmp_path / "source")


def test_the_command_says_what_to_do_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from workbook.commands import book

    monkeypatch.setattr(book, "find_spec", lambda name: None)
    refused = CliRunner().invoke(book.book)
    assert (refused.exit_code, refused.output) == (2, "Error: jupyter-book is not installed: make book installs it\n")
    monkeypatch.setattr(book, "find_spec", lambda name: True)
    monkeypatch.setattr("workbook.paths.REPO", Places(tmp_path))
    (tmp_path / "params").mkdir()
    (tmp_path / "params" / "two-tcp.yaml").write_text((REPO.params / "two-tcp.yaml").read_text())
    refused = CliRunner().invoke(book.book)
    assert refused.exit_code == 2
    assert refused.output.endswith("02-two-tcp.ipynb: not there yet: make figures\n")
