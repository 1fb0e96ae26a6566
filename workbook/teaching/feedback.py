"""The page that a student gets back: each question with the answer, the key, and why.

Whatever a student wrote is text here: all of it is escaped, and no output or picture of the sheet is kept.
"""

from html import escape
from typing import Final

from workbook.teaching.check import Compared
from workbook.teaching.marking import Mark, Marked

STYLE: Final = """
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
section { border-left: 4px solid #2a7f3e; padding: 0 1em; margin: 1.2em 0; }
section.lost { border-color: #b5402a; }
h2 { font-size: 1.1em; margin: 0; }
table { border-collapse: collapse; } th, td { text-align: left; padding: 0.1em 1.5em 0.1em 0; }
"""
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"  # a browser runs no script and loads nothing


def page(marked: Marked) -> str:
    """The feedback for a sheet as HTML, complete in itself."""
    points, of = sum(mark.points for mark in marked.marks), sum(mark.of for mark in marked.marks)
    score = f"Not graded: {escape(marked.problem)}" if marked.problem else f"{points:g} of {of:g} points"
    notes = "".join(f"<li>{escape(note)}</li>" for note in marked.notes)
    title = f"{escape(marked.sheet)}, {escape(marked.student)}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<style>{STYLE}</style></head>\n'
        f"<body><h1>{title}</h1>\n<p><strong>{score}</strong></p>\n"
        + (f"<ul>{notes}</ul>\n" if notes else "")
        + "".join(map(_section, marked.marks))
        + "</body></html>\n"
    )


def _section(mark: Mark) -> str:
    lost = ' class="lost"' if mark.points < mark.of else ""
    text = f"<p>{escape(mark.said)}</p>" if mark.said else "<p>Right.</p>"
    why = f"<p>Why: {escape(mark.why)}</p>" if mark.why else ""
    heading = f"{escape(mark.question)} ({escape(mark.cell)}): {mark.points:g} of {mark.of:g}"
    return f"<section{lost}><h2>{heading}</h2>{text}{_table(mark.compared)}{why}</section>\n"


def _table(compared: list[Compared]) -> str:
    rows = "".join(
        f"<tr><td>{escape(each.name)}</td><td>{escape(each.answer)}</td><td>{escape(each.key)}</td></tr>"
        for each in compared
    )
    return f"<table><tr><th></th><th>yours</th><th>key</th></tr>{rows}</table>" if rows else ""
