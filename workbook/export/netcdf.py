"""Datasets as netCDF files."""

from pathlib import Path

import xarray as xr

COMPRESSION = {"zlib": True, "complevel": 4}


def write_netcdf(ds: xr.Dataset, path: Path) -> None:
    """Write `ds` so that xarray reads the same back. Numbers are compressed. Raises OSError."""
    numbers = (str(name) for name, variable in ds.variables.items() if variable.dtype.kind != "U" and variable.size)
    # In memory first: on a full disk the HDF5 library fails again and again while it closes the file, and then crashes.
    path.write_bytes(ds.to_netcdf(engine="h5netcdf", encoding=dict.fromkeys(numbers, COMPRESSION)))
