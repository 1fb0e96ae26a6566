"""A chapter's claims as a table, each row with the figure that decides it and the cell that makes the figure."""

import json

import pytest

from tests.workbook.ledger.studies import write_claims
from workbook.ledger import scorecard
from workbook.ledger.sources import Cell, cell_of
from workbook.ledger.table import claims_by_figure, claims_styled, claims_table
from workbook.paths import Places

LATENCY = "two_tcp.size_100.flow1.latency_ms.steady.max"


def test_a_row_links_to_its_figure_and_the_figure_back_to_its_claims(places: Places) -> None:
    latency = {"kind": "tolerance", "ruler": "axis", "said": "118", "because": "-", "compare": LATENCY}
    write_claims(
        places,
        latency | {"id": "study.latency"},
        {"id": "study.sent", "kind": "exact", "said": "1108", "compare": "two_tcp.size_100.flow1.sent"},
        {"id": "study.figure", "kind": "figure", "figure": "two-tcp/size-100/latency"},
        {"id": "study.sum", "kind": "exact", "said": "2", "arithmetic": "1 + 1"},
        {"id": "study.later", "kind": "exact", "said": "2", "compare": "one_flow.baseline.flow1.sent"},
    )
    table = claims_table("study", "two-tcp", places=places)
    picture = "figures/two-tcp/size-100/latency.png"
    assert list(table["id"]) == ["study.latency", "study.sent", "study.figure"]
    assert list(table["figure"]) == [picture, "figures/two-tcp/size-100/statistics.json", picture]
    assert list(table["cell"]) == ["", "", ""], "no notebook has made them"
    assert list(table["ruler"]) == ["axis", "printed", "drawn"]
    assert f'href="../{picture}"' in claims_styled(table).to_html()


def test_a_figure_has_the_claims_that_it_decides(places: Places) -> None:
    latency = {"kind": "tolerance", "ruler": "axis", "said": "118", "because": "-", "compare": LATENCY}
    write_claims(
        places,
        latency | {"id": "study.latency"},
        {"id": "study.sum", "kind": "exact", "said": "2", "arithmetic": "1 + 1"},
        {"id": "study.figure", "kind": "figure", "figure": "two-tcp/size-100/latency"},
    )
    found = claims_by_figure(scorecard(places=places).judgments, places)
    decided = {path: [judgment.claim.id for judgment in judgments] for path, judgments in found.items()}
    assert decided == {places.figures / "two-tcp" / "size-100" / "latency.png": ["study.latency", "study.figure"]}


CELLS = {
    "first": "import this",
    "named": 'case = "dropped"\nstudy.save(draw(runs[case]), f"{case}/run")',
    "again": 'study.save(draw(runs[case]), f"{case}/runs")',
    "plain": 'study.save(cwnd(runs["size-100"]), "size-100/cwnd")',
    "last": "study.save_cases()",
}


@pytest.mark.parametrize(
    ("figure", "cell"),
    [
        ("size-100/cwnd.png", "plain"),
        ("dropped/run.png", "named"),
        ("dropped/runs.png", "again"),
        ("size-100/latency.png", "plain"),  # that no cell draws: where its case is looked at
        ("size-100/statistics.json", "plain"),
        ("baseline/cwnd.png", "last"),
    ],
)
def test_the_cell_that_makes_a_figure(places: Places, figure: str, cell: str) -> None:
    cells = [{"cell_type": "code", "id": name, "metadata": {}, "source": [text]} for name, text in CELLS.items()]
    (places.root / "notebooks").mkdir()
    (places.root / "notebooks" / "two.ipynb").write_text(json.dumps({"cells": cells}))
    places.params.mkdir()
    (places.params / "two-tcp.yaml").write_text("notebook: notebooks/two.ipynb\n")
    assert cell_of(places.figures / "two-tcp" / figure, places) == Cell("two.ipynb", cell)
    assert cell_of(places.figures / "elsewhere" / figure, places) is None


def test_newer_statistics_and_one_case_can_be_asked_for(places: Places) -> None:
    write_claims(places, {"kind": "exact", "said": "7", "compare": "two_tcp.size_100.flow1.sent"})
    newer = {"size-100": {"flow1": {"sent": 7}}, "size-100-long": {"flow1": {"sent": 7}}}
    assert list(claims_table("study", "two-tcp", newer, "size-100", places)["verdict"]) == ["reproduced"]
    assert claims_table("study", "two-tcp", newer, "size-100-long", places).empty
    assert claims_table("study", "two-tcp", newer, "size", places).empty
