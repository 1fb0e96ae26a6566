"""`make app`: the explorer as a web page of this computer, for people who never saw Jupyter."""

import os
import sys
from pathlib import Path

from workbook.paths import REPO

TEMPLATES = Path(__file__).with_name("page")
NOT_FOR_A_PAGE = ("@jupyter-notebook/lab-extension", "@jupyter/nbgrader")  # parts of JupyterLab that need all of it


def options(port: int) -> list[str]:
    """What Voila is told."""
    return [
        "notebooks/explore.ipynb",
        "--no-browser",
        f"--port={port}",
        "--Voila.ip=127.0.0.1",
        "--template=explore",
        "--MappingKernelManager.cull_idle_timeout=300",  # of a page that was closed
        *(f"--VoilaConfiguration.extension_denylist={name}" for name in NOT_FOR_A_PAGE),
        "--TagRemovePreprocessor.remove_cell_tags=lab",
    ]


def environment() -> dict[str, str]:
    """This process's, and where the page's template lies."""
    places = [str(TEMPLATES), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    return os.environ | {"JUPYTER_PATH": os.pathsep.join(places)}


def main() -> None:
    """Serve until Ctrl-C."""
    port = 8866
    print(f"Open http://127.0.0.1:{port} in a browser. Ctrl-C here stops it.", flush=True)
    os.chdir(REPO.root)
    command = [sys.executable, "-m", "voila", *options(port), "--Voila.log_level=ERROR"]
    os.execve(sys.executable, command, environment())


if __name__ == "__main__":
    main()
