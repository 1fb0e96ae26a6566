"""The scenarios of the chapters, by their titles."""

from contextlib import suppress

from simcore import ScenarioError
from workbook.chapters.chapter import Chapter
from workbook.explore.setting import Setting
from workbook.paths import REPO


def catalogue() -> dict[str, Setting]:
    """Every case of every chapter: "Two TCP flows: Baseline" -> its scenario as a mapping."""
    found: dict[str, Setting] = {}
    for path in sorted(REPO.params.glob("*.yaml")):
        chapter = Chapter.load(path)
        with suppress(ScenarioError):  # a chapter of another model than that of packets
            found |= {title_of(chapter, case): case_of(chapter, case) for case in chapter.cases}
    return found


def title_of(chapter: Chapter, case: str) -> str:
    """What the panel calls a case."""
    return f"{chapter.title}: {chapter.cases[case].title}"


def case_of(chapter: Chapter, case: str) -> Setting:
    """A case as a mapping."""
    return chapter.scenario(case).to_mapping()
