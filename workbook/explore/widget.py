"""The charts in the browser: one widget with a script and looks of its own, which fetch nothing."""

from pathlib import Path

import anywidget
import traitlets

from simcore.rules.tcp.sender import CAUSES

SCRIPTS = ("theme", "chart", "plane", "finding", "saying", "main")  # one file together: a widget has one script
EXPORT = "\nexport default {render};\n"
FOLDER = Path(__file__).with_name("js")


def script() -> str:
    """The script of the charts, for whoever gives it a model."""
    return "\n".join((FOLDER / f"{name}.js").read_text("utf-8") for name in SCRIPTS)


def style() -> str:
    """Their looks."""
    return (FOLDER / "explore.css").read_text("utf-8")


class Charts(anywidget.AnyWidget):
    """Shows a picture (`workbook.explore.picture`); sends back what is clicked."""

    _esm = script() + EXPORT
    _css = style()

    picture = traitlets.Dict().tag(sync=True)
    causes = traitlets.List(list(CAUSES)).tag(sync=True)
    status = traitlets.Dict({"text": "Getting ready ...", "state": "wait"}).tag(sync=True)  # wait, ready or wrong
    answer = traitlets.Unicode().tag(sync=True)  # what came of a click
    page = traitlets.Unicode().tag(sync=True)  # an animation's HTML
