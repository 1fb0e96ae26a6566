"""A chapter's claims as a table, each row with the figure that decides it."""

from tests.workbook.ledger.studies import write_claims
from workbook.ledger.table import claims_of_figure, claims_styled, claims_table
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
    assert list(table["evidence"]) == [picture, "figures/two-tcp/size-100/statistics.json", picture]
    assert list(table["ruler"]) == ["axis", "printed", "drawn"]
    assert claims_of_figure(table, picture) == ["study.latency", "study.figure"]
    assert f'href="../../{picture}"' in claims_styled(table).to_html()


def test_newer_statistics_and_one_case_can_be_asked_for(places: Places) -> None:
    write_claims(places, {"kind": "exact", "said": "7", "compare": "two_tcp.size_100.flow1.sent"})
    newer = {"size-100": {"flow1": {"sent": 7}}, "size-100-long": {"flow1": {"sent": 7}}}
    assert list(claims_table("study", "two-tcp", newer, "size-100", places)["verdict"]) == ["reproduced"]
    assert claims_table("study", "two-tcp", newer, "size-100-long", places).empty
    assert claims_table("study", "two-tcp", newer, "size", places).empty
