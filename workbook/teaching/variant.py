"""A student's own sheet: parameters drawn from the student id, always the same for the same student.

params/labs/<lab>.yaml says which: `base` is a scenario, `draws` the values to choose from for each path into it, and
`given` those for each quantity that a question needs beside it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcore import Scenario, load_mapping, scenario_from
from simcore.scenario.change import changed
from workbook.paths import REPO
from workbook.teaching.student import student_id


@dataclass(frozen=True)
class Variant:
    """One student's parameters of one lab."""

    student: str
    lab: str
    base: Mapping[str, Any]  # a scenario, as its file would have it
    given: Mapping[str, object]  # what the questions ask about, by name

    def scenario(self, changes: Mapping[str, object] = {}) -> Scenario:
        """The student's scenario with other values at some dotted paths: `{"bottleneck.buffer_packets": 5}`.

        Raises ChangeError for a path that leads nowhere, ScenarioError for a value that is not allowed.
        """
        return scenario_from({"name": f"lab {self.lab}"} | changed(self.base, changes))


def variant_of(student: object, lab: str) -> Variant:
    """The variant of a lab that a student works on.

    Raises StudentError for an impossible student id.
    """
    name = student_id(student)
    sheet = load_mapping(REPO.params / "labs" / f"{lab}.yaml")
    drawn = {path: _drawn(name, lab, path, values) for path, values in sheet.get("draws", {}).items()}
    given = {what: _drawn(name, lab, what, values) for what, values in sheet.get("given", {}).items()}
    return Variant(name, lab, changed(sheet["base"], drawn), given)


def _drawn(student: str, lab: str, what: str, values: Sequence[object]) -> object:
    """One of the values. Python's own hash() differs from process to process, SHA-256 doesn't."""
    digest = hashlib.sha256(f"{lab}/{student}/{what}".encode()).digest()
    return values[int.from_bytes(digest[:8]) % len(values)]
