"""What a command writes of each run: a file or a folder in the directory that an option names."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from simcore.extras import require
from workbook.commands.refusal import Refusal, reason

if TYPE_CHECKING:
    import xarray as xr

Directories = Mapping[str, Path | None]
"""Option -> the directory it names, if it was given."""


ENDINGS: Final = {"--trace": ".tr", "--dataset": ".nc", "--pcap": ".pcapng", "--tcl": ".tcl", "--figures": ""}
EXTRAS: Final = {"--dataset": "netcdf", "--figures": "plots", "--notebook": "workbook"}  # what needs more packages


def prepare(inputs: Sequence[Path], directories: Directories) -> None:
    """Make the directories, and see that no result would overwrite another's. Raises Refusal, and MissingExtraError."""
    for option, directory in directories.items():
        if directory is None:
            continue
        if option in EXTRAS:
            require(EXTRAS[option])
        stems = [path.stem for path in inputs]
        twice = next((stem for stem in stems if stems.count(stem) > 1), None)
        if twice:
            raise Refusal(f"{option}: two files would both be written to {directory / twice}.*; rename one")
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            is_no_directory = isinstance(error, FileExistsError | NotADirectoryError)
            why = "not a directory" if is_no_directory else reason(error)
            raise Refusal(f"{option}: {directory}: {why}; must be a directory that can be written") from None
        if not os.access(directory, os.W_OK | os.X_OK):
            raise Refusal(f"{option}: {directory}: permission denied; must be a directory that can be written")
        for stem in stems:
            _check_length(directory / f"{stem}.nc")


def write(ds: "xr.Dataset", stem: str, directories: Directories) -> None:
    """Write what was asked for. Raises Refusal if it can't be written."""
    for option, directory in directories.items():
        if directory is None:
            continue
        path = directory / (stem + ENDINGS[option])
        try:
            _write(ds, option, path)
        except OSError as error:
            raise Refusal(f"{path}: cannot be written: {reason(error)}") from None


def _write(ds: "xr.Dataset", option: str, path: Path) -> None:
    from workbook.export.capture import write_capture
    from workbook.export.files import replacing, write_netcdf
    from workbook.export.tcl import write_script
    from workbook.export.trace import write_trace

    if option == "--figures":
        from workbook.export.figures import write_figures

        write_figures(ds, path)
        return
    with replacing(path) as temporary:
        writers = {"--trace": write_trace, "--dataset": write_netcdf, "--pcap": write_capture, "--tcl": write_script}
        writers[option](ds, temporary)


def _check_length(path: Path) -> None:
    """Raise Refusal if the file, or the temporary one that becomes it, would have too long a name."""
    from workbook.export.files import temporary_beside

    try:
        temporary_beside(path).lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise Refusal(f"{path}: cannot be written: {reason(error)}") from None
