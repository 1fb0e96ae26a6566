"""How JupyterLab and Voila are told to serve the notebooks to this computer alone, fetching nothing from others."""

import os
import socket
import sys
from pathlib import Path
from typing import Final

from workbook.paths import REPO

FOLDERS: Final = {
    "JUPYTER_PATH": Path(__file__).with_name("page"),  # the page's template
    "JUPYTER_CONFIG_PATH": Path(__file__).with_name("config"),  # JupyterLab without its question about news
}
MAP: Final = "notebooks/00-start-here.ipynb"
HOST: Final = "127.0.0.1"
EXPLORER: Final = "notebooks/explore.ipynb"
PORT: Final = 8866  # of the page, if nobody has it
NOT_FOR_A_PAGE: Final = ("@jupyter-notebook/lab-extension", "@jupyter/nbgrader")  # they need all of JupyterLab
CLOSED_AFTER_S: Final = 300  # kernels of pages that were closed


def lab() -> list[str]:
    """The command for JupyterLab, which does not look for a newer version."""
    return [
        sys.executable, "-m", "jupyter", "lab", f"--ServerApp.root_dir={REPO.root}",
        f"--LabApp.default_url=/lab/tree/{MAP}", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        *(["--allow-root"] if os.geteuid() == 0 else []),  # as in a container, where it would refuse to start
    ]  # fmt: skip


def free_port(wished: int = 0) -> int:
    """A port of this computer that nobody uses: the one that is wished for, or any."""
    with socket.socket() as found:
        try:
            found.bind((HOST, wished))
        except OSError:
            found.bind((HOST, 0))
        return int(found.getsockname()[1])


def app(port: int) -> list[str]:
    """The command for the explorer as a page."""
    return [
        sys.executable, "-m", "voila", EXPLORER, "--no-browser", f"--port={port}", f"--Voila.ip={HOST}",
        "--template=explore",
        *(f"--VoilaConfiguration.extension_denylist={name}" for name in NOT_FOR_A_PAGE),
        "--TagRemovePreprocessor.remove_cell_tags=lab",
        f"--MappingKernelManager.cull_idle_timeout={CLOSED_AFTER_S}",
        "--Voila.log_level=ERROR",
    ]  # fmt: skip


def environment() -> dict[str, str]:
    """This process's, and where the template and the settings lie."""
    added = {
        name: os.pathsep.join([str(folder), *filter(None, [os.environ.get(name)])]) for name, folder in FOLDERS.items()
    }
    return os.environ | added
