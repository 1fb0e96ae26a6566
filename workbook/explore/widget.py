"""The charts in the browser: one widget with a script and looks of its own, which fetch nothing."""

import os
from pathlib import Path

import anywidget
import traitlets

from simcore.rules.causes import CAUSES, USUAL

# One file together: a widget has one script.
SCRIPTS = ("theme", "chart", "plane", "finding", "saying", "address", "main")
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
    causes: traitlets.List[str] = traitlets.List().tag(sync=True)
    usual: traitlets.List[int] = traitlets.List().tag(sync=True)  # causes, by number, that come with almost every ACK
    status = traitlets.Dict({"text": "Getting ready ...", "state": "wait"}).tag(sync=True)  # wait, ready or wrong
    answer = traitlets.Unicode().tag(sync=True)  # what came of a click
    words = traitlets.Dict().tag(sync=True)  # of the setting's link (`workbook.explore.address`)
    notebook = traitlets.Unicode(Path(os.environ.get("JPY_SESSION_NAME", "")).name).tag(sync=True)  # Jupyter sets it
    page = traitlets.Unicode().tag(sync=True)  # an animation's HTML

    @traitlets.default("causes")
    def _causes(self) -> list[str]:
        return list(CAUSES)  # of rules that were registered since this file was imported, too

    @traitlets.default("usual")
    def _usual(self) -> list[int]:
        return list(USUAL)
