"""What registries find: every discipline, source and sink says what people and scenarios have to know of it."""

from dataclasses import fields
from pathlib import Path

import pytest

from simcore.rules import queues, receivers, sources
from simcore.rules.modules import named_modules
from simcore.rules.queues.registry import DISCIPLINES
from simcore.rules.receivers.registry import SINKS
from simcore.rules.sources.registry import SOURCES
from simcore.scenario.flows import UDP_FLOWS, UdpFlow
from simcore.scenario.links import LINKS, RowLink

NAMED = [
    (f"{folder}-{name}", entry)
    for folder, registry in (("queues", DISCIPLINES), ("sources", SOURCES), ("receivers", SINKS))
    for name, entry in registry.items()
]


@pytest.mark.parametrize("entry", [pytest.param(entry, id=place) for place, entry in NAMED])
def test_everything_has_a_name_and_a_line_that_says_where_it_comes_from(entry: object) -> None:
    name, about = (getattr(entry, field) for field in ("name", "about"))
    assert name
    assert 20 < len(about) < 110
    assert any(word in about for word in ("RFC", "ns-2", "19", "20")), "no source"


def test_names_for_people_are_different() -> None:
    names = [getattr(entry, "name", "") for _, entry in NAMED]
    assert len(set(names)) == len(names)


def test_a_file_with_a_name_is_an_entry_and_no_other_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stack_first.py").write_text('NAME = "Last in, first out"\nSINCE = 1961\n')
    (tmp_path / "stack_help.py").write_text("")
    monkeypatch.setattr(queues, "__path__", [*queues.__path__, str(tmp_path)])
    assert list(named_modules(queues)) == ["stack_first", *DISCIPLINES], "the oldest first"
    for package, registry in ((sources, SOURCES), (receivers, SINKS)):
        assert list(named_modules(package)) == list(registry)


def test_a_link_and_a_flow_have_their_own_fields_first_and_then_those_of_their_choice() -> None:
    for name, link in LINKS.items():
        assert list(link.model_fields) == [*RowLink.model_fields, *DISCIPLINES[name].settings.model_fields]
    for name, flow in UDP_FLOWS.items():
        assert list(flow.model_fields) == [*UdpFlow.model_fields, *SOURCES[name].settings.model_fields]


def test_fields_of_one_name_have_one_type_in_all_disciplines() -> None:
    """The compiled engine keeps them in one record."""
    types: dict[str, object] = {}
    for discipline in DISCIPLINES.values():
        for field in fields(discipline.state):
            assert types.setdefault(field.name, field.type) == field.type
