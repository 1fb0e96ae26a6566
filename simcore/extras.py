"""What needs more than a simulation does: groups of packages that are installed by name.

`pip install bottleneck-workbook` brings what the model needs to run; `pip install 'bottleneck-workbook[plots]'` what
figures need. Rooms that need a group ask for it when they are imported.
"""

from importlib.util import find_spec
from typing import Final

EXTRAS: Final = {
    "compiled": ("llvmlite",),
    "kernel": ("cloudpickle", "pyroute2"),
    "netcdf": ("h5netcdf", "h5py"),
    "plots": ("PIL", "matplotlib", "scipy", "seaborn"),
    "sweep": ("dask", "distributed", "scipy", "zarr"),
    "workbook": (
        *("IPython", "anywidget", "ipykernel", "ipywidgets", "jupyter_client", "nbformat", "papermill", "simpleeval"),
        "traitlets",
    ),
}
"""The modules of each group; pyproject.toml has its packages."""


class MissingExtraError(ImportError):
    """Packages that this installation does not have; the message says how to get them."""


def require(extra: str) -> None:
    """Raise MissingExtraError, in one line, unless a group is installed.

    Parameters
    ----------
    extra : str
        Its name in `EXTRAS`.
    """
    missing = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if missing:
        raise MissingExtraError(f"{', '.join(missing)} missing: {how_to_get(extra)}")


def how_to_get(extra: str) -> str:
    """The command that installs a group."""
    return f"pip install 'bottleneck-workbook[{extra}]'"
