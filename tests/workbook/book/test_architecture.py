"""docs/architecture.md is what the code gives, and its boxes lead somewhere."""

import re
from pathlib import Path

import pytest

from workbook.book.architecture import PAGE, page, renew_architecture
from workbook.book.layers import ROOMS
from workbook.book.mermaid import Arrow, Box, Group, flowchart, name_of
from workbook.book.rooms import OURS, imports, readers, upward, without_implied
from workbook.book.stations import ACKS, DATA, asked, asked_of_other_folders, stations
from workbook.paths import REPO, Places

COMMITTED = (REPO.docs / PAGE).read_text("utf-8")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A workbook of four files, of which one imports what lies above it."""
    sources = {
        "simcore/__init__.py": "",
        "simcore/rules/__init__.py": "",
        "simcore/rules/tcp/acks.py": "from simcore.rules.recovery import loss\nimport workbook.plots",
        "simcore/rules/recovery/loss.py": "",
        "simcore/process/__init__.py": "",
        "simcore/process/sender.py": "import numpy\ndef run():\n    from simcore.rules.tcp.acks import ack_arrived",
        "workbook/tool.py": "import json",
        "workbook/plots/__init__.py": "from workbook.tool import x\nopen(REPO.params / 'a.yaml')",
    }
    for path, source in sources.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source)
    return tmp_path


def charts(text: str) -> list[str]:
    return re.findall(r"^```mermaid\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_page_is_what_the_code_gives_now() -> None:
    assert page(REPO.root) == COMMITTED, "`python -m workbook.book.architecture` writes it"


def test_the_page_is_renewed_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbook.book.architecture.page", lambda root: f"of {root.name}")
    places = Places(tmp_path / "workbook")
    renew_architecture(places)
    assert not places.root.exists()
    places.docs.mkdir(parents=True)
    (places.docs / PAGE).write_text("old")
    renew_architecture(places)
    assert (places.docs / PAGE).read_text() == "of workbook"


def test_every_link_leads_to_a_file() -> None:
    links = re.findall(r'\]\(([^)]+)\)|href "([^"]+)"', COMMITTED)
    assert len(links) > 100
    assert [link for link in map("".join, links) if not (REPO.docs / link).exists()] == []


def test_every_package_is_a_room() -> None:
    packages = {init.parent for top in OURS for init in (REPO.root / top).glob("*/__init__.py")}
    assert {path.relative_to(REPO.root).as_posix() for path in packages} - set(ROOMS) == set()
    assert [room for room in ROOMS if not (REPO.root / room).is_dir()] == []


@pytest.mark.parametrize("chart", charts(COMMITTED))
def test_mermaid_knows_what_arrows_and_links_are_about(chart: str) -> None:
    boxes = re.findall(r'^    (\w+)\["[^"]+"\]$', chart, re.MULTILINE)
    groups = re.findall(r'^  subgraph (\w+) \["[^"]+"\]$', chart, re.MULTILINE)
    arrows = re.findall(r"^  (\w+) (?:-->|-\.->|==>) (\w+)$", chart, re.MULTILINE)
    clicks = re.findall(r'^  click (\w+) href "[^"]+"$', chart, re.MULTILINE)
    assert len(set(boxes) | set(groups)) == len(boxes) + len(groups)
    assert sorted(clicks) == sorted(boxes)
    assert {end for arrow in arrows for end in arrow} <= {*boxes, *groups}
    assert len(chart.splitlines()) == 1 + 2 * len(boxes) + 2 * len(groups) + len(arrows)


def test_an_import_that_goes_up_is_found(small: Path) -> None:
    [wrong] = upward(imports(small))
    assert str(wrong) == "simcore/rules/tcp/acks.py imports workbook.plots"
    assert [(each.room, each.other) for each in imports(small) if each != wrong] == [
        ("simcore/process", "simcore/rules")
    ]
    assert readers(small) == [("workbook/plots", "params")]


def test_a_station_asks_what_its_file_imports(small: Path) -> None:
    acks = Path("simcore/rules/tcp/acks.py")
    assert asked(Path("simcore/process/sender.py"), small) == [acks]
    assert asked_of_other_folders([acks], small) == [(acks.parent, Path("simcore/rules/recovery"))]


def test_what_a_longer_way_says_needs_no_arrow() -> None:
    assert without_implied([("a", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("c", "d")]) == [
        ("a", "b"),
        ("b", "c"),
        ("c", "d"),
    ]


def test_the_way_of_the_acks_ends_where_that_of_the_packets_begins() -> None:
    assert (DATA[-1], ACKS[-1][0]) == (ACKS[0], DATA[0][0])
    names = [each.name for each in [*stations(DATA), *stations(ACKS[1:-1])]]
    assert len(set(names)) == len(names)


def test_a_chart_is_plain_text() -> None:
    box = Box(name_of("room", "end"), 'the "end"', "../end")
    made = flowchart("TB", [Group("g", "all", [box])], [Arrow("room_end", "g")])
    assert made.splitlines() == [
        "```mermaid",
        "flowchart TB",
        '  subgraph g ["all"]',
        '    room_end["the #quot;end#quot;"]',
        "  end",
        "  room_end --> g",
        '  click room_end href "../end"',
        "```",
    ]
