"""The page of all words that chapters explain: a glossary of MyST, which has an anchor for each word."""

from pathlib import Path
from typing import Final

from workbook.chapters.glossary import GLOSSARY

NAME: Final = "glossary"


def write_glossary(pages: Path) -> str:
    """Write the page, its words in the alphabet's order; return its name."""
    entries = [f"{word}\n  {GLOSSARY[word]}\n" for word in sorted(GLOSSARY, key=str.lower)]
    (pages / f"{NAME}.md").write_text("\n".join(["# Glossary", "", "```{glossary}", *entries, "```", ""]), "utf-8")
    return NAME
