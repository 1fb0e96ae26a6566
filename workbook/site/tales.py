"""Stories as the page's script takes them: texts, formulas as trees, and the settings of their runs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from workbook.chapters.chapter import Chapter
from workbook.paths import REPO
from workbook.site.stories import Story

TEXTS = ("title", "question", "watch", "reveal", "play")


class Tale(NamedTuple):
    """A story, its name, and where the controls stand in each of its runs."""

    name: str
    story: Story
    runs: Mapping[str, Any]  # of Start

    def told(self) -> dict[str, Any]:
        """All but its runs."""
        story = self.story
        pairs = zip(story.bet, story.conditions.values(), strict=True)
        return {
            "name": self.name,
            **{name: getattr(story, name) for name in TEXTS},
            "bets": [{"says": choice.says, "when": tree} for choice, tree in pairs],
            "numbers": dict(story.trees),
            "moment": story.moment_tree,
            "chapter": chapter_of(story),
        }


def chapter_of(story: Story) -> dict[str, str]:
    """What the chapter that tells more is called, and its page in the book."""
    chapter = Chapter.load(REPO.params / f"{story.chapter}.yaml")
    return {"title": chapter.title, "page": f"pages/{chapter.chapter}.html"}
