"""Datasets as netCDF files."""

from pathlib import Path

import xarray as xr

COMPRESSION = {"zlib": True, "complevel": 4}


def write_netcdf(ds: xr.Dataset, path: Path) -> None:
    """Write `ds` so that xarray reads the same back. Numbers are compressed. Raises OSError."""
    numbers = (str(name) for name, variable in ds.variables.items() if variable.dtype.kind != "U" and variable.size)
    ds.to_netcdf(path, engine="h5netcdf", encoding=dict.fromkeys(numbers, COMPRESSION))
