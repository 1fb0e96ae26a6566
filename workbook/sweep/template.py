"""A sweep's Dataset before anything is simulated: dimensions, coordinates, empty variables."""

from typing import Any, Final

import dask.array as da
import numpy as np
import xarray as xr

from workbook.sweep.batches import batch_shape
from workbook.sweep.design import Design
from workbook.sweep.variables import OF_A_CELL, OF_A_FLOW

UNITS: Final = {"mbps": "Mb/s", "ms": "ms", "s": "s", "bytes": "bytes", "packets": "packets"}
"""By the last word of a field's name."""


def template(design: Design, attrs: dict[str, object]) -> xr.Dataset:
    """The Dataset without its numbers. Its chunks are the batches."""
    dims = tuple(dimension.name for dimension in design.dimensions)
    chunks, flows = batch_shape(design.shape), design.flows

    def empty(dtype: np.dtype[Any], long_name: str, units: str, *further: int) -> xr.Variable:
        data = da.zeros((*design.shape, *further), dtype=dtype, chunks=(*chunks, *further))
        return xr.Variable((*dims, "flow")[: data.ndim], data, {"long_name": long_name, "units": units})

    per_flow = {name: empty(*about, flows) for name, about in OF_A_FLOW.items()}
    per_cell = {name: empty(*about) for name, about in OF_A_CELL.items()}
    return xr.Dataset(per_flow | per_cell, _coordinates(design, flows), attrs)


def _coordinates(design: Design, flows: int) -> dict[str, xr.Variable]:
    coordinates = {"flow": _numbered("flow", flows)}
    for dimension in design.dimensions:
        coordinates[dimension.name] = _numbered(dimension.name, dimension.size)
        for column in dimension.columns:
            values = [column.at(i) for i in range(dimension.size)]
            about = {"long_name": ", ".join(column.targets), "units": _units(column.targets[0])}
            coordinates[column.name] = xr.Variable(dimension.name, _array(values), about)
    return coordinates


def _numbered(name: str, size: int) -> xr.Variable:
    return xr.Variable(name, np.arange(1, size + 1), {"long_name": name, "units": "1"})


def _units(path: str) -> str:
    return UNITS.get(path.rpartition("_")[2], "1")


def _array(values: list[object]) -> object:
    """Texts as objects: the fixed-length texts that numpy would make of them are not in Zarr's format 3."""
    return np.array(values, dtype=object if isinstance(values[0], str) else None)
