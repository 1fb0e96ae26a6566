"""What a finished sweep prints."""

from pathlib import Path

from workbook.sweep.design import Design, Dimension


def summary(design: Design, simulated: int, seconds: float, output: Path) -> str:
    """The dimensions with their values, how long it took, where the result is and how it is opened."""
    rows = [(d.name, _values(d), ", ".join(_paths(d))) for d in design.dimensions]
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines = [f"{name.ljust(widths[0])}  {values.ljust(widths[1])}  {paths}".rstrip() for name, values, paths in rows]
    if simulated:
        done = f"{simulated:,} simulated in {seconds:.1f} s, {simulated / seconds:,.0f} a second"
    else:
        done = "all of them were there already"
    opening = f'import xarray as xr; ds = xr.open_zarr("{output}")'
    return "\n".join([*lines, f"{design.cells:,} cells: {done}", f"{output}, in Python: {opening}"])


def _values(dimension: Dimension) -> str:
    first, last = dimension.at(0), dimension.at(dimension.size - 1)
    return f"{first} ... {last} ({dimension.size})" if dimension.size > 1 else str(first)


def _paths(dimension: Dimension) -> list[str]:
    return [path for column in dimension.columns for path in column.targets]
