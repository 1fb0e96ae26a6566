"""How JupyterLab and Voila are told to serve the notebooks to this computer alone, fetching nothing from others."""

import os
import resource
import secrets
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
MOST_MEMORY_BYTES: Final = 6 * 2**30  # addresses of the page's server, and of each of its kernels


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
    """The command for the explorer as a page.

    Who has no token gets nothing, and a Host that is not this computer is refused (see config/voila.json): a page from
    elsewhere whose name was made to point here (DNS rebinding) would otherwise reach the kernels, and a message in the
    old form of the protocol makes Voila 0.5.13 loop.
    """
    return [
        sys.executable, "-m", "voila", EXPLORER, "--no-browser", f"--port={port}", f"--Voila.ip={HOST}",
        "--template=explore",
        *(f"--VoilaConfiguration.extension_denylist={name}" for name in NOT_FOR_A_PAGE),
        "--TagRemovePreprocessor.remove_cell_tags=lab",
        f"--MappingKernelManager.cull_idle_timeout={CLOSED_AFTER_S}",
        "--Voila.log_level=ERROR",
    ]  # fmt: skip


def limit_memory() -> None:
    """Limit the memory of this process and of all that it starts: what goes wild ends with an error of its own."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = MOST_MEMORY_BYTES if most == resource.RLIM_INFINITY else min(MOST_MEMORY_BYTES, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def new_token() -> str:
    """What the page's address ends with, so that nobody else on this computer can guess it."""
    return secrets.token_urlsafe()


def environment() -> dict[str, str]:
    """This process's, and where the template and the settings lie."""
    added = {
        name: os.pathsep.join([str(folder), *filter(None, [os.environ.get(name)])]) for name, folder in FOLDERS.items()
    }
    return os.environ | added
