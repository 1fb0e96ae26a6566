"""`workbook read`: what other programs recorded, as tables, figures and datasets."""

import re
import zlib
from collections.abc import Callable, Sequence
from lzma import LZMAError
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from workbook.commands.outputs import prepare, write
from workbook.commands.refusal import Refusal, reason

if TYPE_CHECKING:
    import xarray as xr

PATH = click.Path(path_type=Path, readable=False)
Read = TypeVar("Read")


@click.command(short_help="Read ns-2 traces: tables, figures, datasets.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option("--link", metavar="A-B", help="The link to look at, by its nodes; without it, the busiest.")
@click.option("--dataset", "dataset_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>.nc for xarray.")
@click.option("--figures", "figures_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>/, with index.html.")
def read(files: Sequence[Path], link: str | None, dataset_dir: Path | None, figures_dir: Path | None) -> None:
    """Read traces of ns-2's wired networks and print one line per flow, as `workbook run` does.

    \b
      workbook read out.tr
      workbook read out.tr.gz --link 2-3 --figures figures      (figures/out.tr/index.html)

    A trace of any topology will do (`$ns trace-all`), compressed or not. It is seen from one link: its queue, its
    drops, and the flows whose data pass it from A to B. What a trace doesn't tell is not made up: instead of the
    congestion window there is the flight size.

    Memory: about as much as the trace has bytes, uncompressed.
    """
    ends = _ends(link)
    directories = {"--dataset": dataset_dir, "--figures": figures_dir}
    prepare(files, directories)
    for number, path in enumerate(files):
        ds = _read(path, ends)
        click.echo("\n" * (number > 0) + _told(path, ds))
        write(ds, path.stem, directories)


def _ends(link: str | None) -> tuple[int, int] | None:
    if link is None:
        return None
    if not (found := re.fullmatch(r"(\d+)-(\d+)", link)):
        raise Refusal(f"--link: {link!r} is no link; must be two nodes, as 2-3")
    return int(found[1]), int(found[2])


def _read(path: Path, ends: tuple[int, int] | None) -> "xr.Dataset":
    from workbook.reading.ns2_trace import read_trace

    return readable(path, lambda path: read_trace(path, ends))


def readable(path: Path, read: Callable[[Path], Read]) -> Read:
    """What `read` makes of a file. Raises Refusal if it can't be read."""
    from workbook.reading.events import UnreadableError

    try:
        return read(path)
    except UnreadableError as error:
        raise Refusal(f"{path}: {error}") from None
    except (OSError, EOFError, LZMAError, zlib.error) as error:
        raise Refusal(f"{path}: cannot be read: {reason(error)}") from None


def _told(path: Path, ds: "xr.Dataset") -> str:
    from workbook.export.table import flow_table

    left_out = ds.attrs["flows_left_out"]
    note = f"\n{left_out} flow{'s' * (left_out > 1)} whose data don't pass this link left out." if left_out else ""
    return f"{path}: {ds.attrs['source']}\n{flow_table(ds)}{note}"
