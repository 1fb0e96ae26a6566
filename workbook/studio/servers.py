"""How JupyterLab and Voila are told to serve the notebooks to this computer alone, fetching nothing from others."""

import os
import sys
from pathlib import Path
from typing import Final

TEMPLATES: Final = Path(__file__).with_name("page")
MAP: Final = "notebooks/00-start-here.ipynb"
EXPLORER: Final = "notebooks/explore.ipynb"
PORT: Final = 8866  # of the page
NOT_FOR_A_PAGE: Final = ("@jupyter-notebook/lab-extension", "@jupyter/nbgrader")  # they need all of JupyterLab
CLOSED_AFTER_S: Final = 300  # kernels of pages that were closed


def lab() -> list[str]:
    """The command for JupyterLab, without its news and its search for a newer version."""
    never = "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
    return [sys.executable, "-m", "jupyter", "lab", never, "--LabApp.news_url=None", MAP]


def app(port: int = PORT) -> list[str]:
    """The command for the explorer as a page."""
    return [
        sys.executable, "-m", "voila", EXPLORER, "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1",
        "--template=explore",
        *(f"--VoilaConfiguration.extension_denylist={name}" for name in NOT_FOR_A_PAGE),
        "--TagRemovePreprocessor.remove_cell_tags=lab",
        f"--MappingKernelManager.cull_idle_timeout={CLOSED_AFTER_S}",
        "--Voila.log_level=ERROR",
    ]  # fmt: skip


def environment() -> dict[str, str]:
    """This process's, and where the page's template lies."""
    places = [str(TEMPLATES), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    return os.environ | {"JUPYTER_PATH": os.pathsep.join(places)}
