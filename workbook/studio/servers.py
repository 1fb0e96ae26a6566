"""How JupyterLab is told to serve the notebooks to this computer alone, fetching nothing from others."""

import os
import sys
from pathlib import Path
from typing import Final

from workbook.paths import REPO

CONFIG: Final = Path(__file__).with_name("config")  # JupyterLab without its question about news
MAP: Final = "notebooks/00-start-here.ipynb"


def lab() -> list[str]:
    """The command for JupyterLab, which does not look for a newer version."""
    return [
        sys.executable, "-m", "jupyter", "lab", f"--ServerApp.root_dir={REPO.root}",
        f"--LabApp.default_url=/lab/tree/{MAP}", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        *(["--allow-root"] if os.geteuid() == 0 else []),  # as in a container, where it would refuse to start
    ]  # fmt: skip


def environment() -> dict[str, str]:
    """This process's, and where the settings lie."""
    folders = [str(CONFIG), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    return os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(folders)}
