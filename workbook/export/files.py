"""Writing files so that a reader never sees half of one; Datasets as netCDF files."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import xarray as xr

from simcore.extras import require

COMPRESSION = {"zlib": True, "complevel": 4}


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path` to write to; it takes the place of `path` at the end.

    If the block fails, `path` is left as it was. Raises OSError.
    """
    temporary = temporary_beside(path)
    remove_leftovers(path)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_netcdf(ds: xr.Dataset, path: Path) -> None:
    """Write `ds` so that xarray reads the same back. Numbers are compressed. Raises OSError."""
    require("netcdf")
    numbers = (str(name) for name, variable in ds.variables.items() if variable.dtype.kind != "U" and variable.size)
    # In memory first: on a full disk the HDF5 library fails again and again while it closes the file, and then crashes.
    path.write_bytes(ds.to_netcdf(engine="h5netcdf", encoding=dict.fromkeys(numbers, COMPRESSION)))


def temporary_beside(path: Path) -> Path:
    """Where this process writes what is to become `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold a directory for this process alone; the system takes the lock back however the process ends.

    Raises BlockingIOError if another process holds it, and OSError.
    """
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files and folders beside `path` whose writers were killed. Raises OSError."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        writer = leftover.suffixes[-2].lstrip(".")
        if writer.isdecimal() and not _is_alive(int(writer)):
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of somebody else
        return True
    return True
