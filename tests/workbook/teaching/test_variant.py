"""A student's variant: always the same, a network that can be simulated, and nobody else's."""

from itertools import product
from typing import Any

import pytest

from simcore import load_mapping, scenario_from
from simcore.scenario.change import changed
from workbook.paths import REPO
from workbook.teaching import variant_of
from workbook.teaching.student import StudentError, student_id

LABS = sorted(path.stem for path in (REPO.params / "labs").glob("*.yaml"))
STUDENTS = [f"s{number}" for number in range(60)]


def drawn(lab: str, student: str) -> dict[str, Any]:
    variant = variant_of(student, lab)
    return {"base": variant.base, "given": variant.given}


@pytest.mark.parametrize("lab", LABS)
def test_a_student_always_has_the_same_variant_however_the_id_is_written(lab: str) -> None:
    assert drawn(lab, "s1234567") == drawn(lab, "s1234567") == drawn(lab, " S1234567 ")


@pytest.mark.parametrize("lab", LABS)
def test_students_have_different_variants_and_every_value_is_somebodys(lab: str) -> None:
    sheet = load_mapping(REPO.params / "labs" / f"{lab}.yaml")
    variants = [drawn(lab, student) for student in STUDENTS]
    assert sum(variants[0] == other for other in variants) < len(variants) / 4
    for what, values in sheet.get("given", {}).items():
        assert all(any(variant["given"][what] == value for variant in variants) for value in values), what


def test_a_draw_does_not_change_from_version_to_version() -> None:
    """A course in its middle must not get other sheets: Python's hash() would, SHA-256 doesn't."""
    link = variant_of("s1234567", "window").base["bottleneck"]
    assert (link["rate_mbps"], link["delay_ms"]) == (1.5, 22)


@pytest.mark.parametrize("lab", LABS)
def test_every_draw_is_a_scenario(lab: str) -> None:
    sheet = load_mapping(REPO.params / "labs" / f"{lab}.yaml")
    draws = sheet["draws"]
    every = [dict(zip(draws, values, strict=True)) for values in product(*draws.values())]
    scenarios = {scenario_from(changed(sheet["base"], drawn)).to_yaml() for drawn in every}
    assert len(scenarios) == len(every), "no two students get the same"


def test_a_variant_is_changed_by_paths() -> None:
    mine = variant_of("s1234567", "window")
    assert mine.scenario({"bottleneck.buffer_packets": 5}).to_mapping()["bottleneck"]["buffer_packets"] == 5
    assert mine.scenario().to_mapping()["bottleneck"]["buffer_packets"] == 100


@pytest.mark.parametrize("given", ["", "  ", "a", "Ann Other", "../anna", "x" * 65])
def test_an_impossible_id_is_refused_in_one_line(given: object) -> None:
    with pytest.raises(StudentError) as refused:
        variant_of(given, "window")
    [line] = refused.value._render_traceback_()
    assert line.startswith("STUDENT: ")
    assert "\n" not in line


@pytest.mark.parametrize("given", ["s1", "S1234567", "anna.b@example", "x" * 64, 1234567])
def test_the_ids_of_many_universities_are_allowed(given: object) -> None:
    assert student_id(given) == str(given).lower()
