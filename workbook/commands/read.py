"""`workbook read`: what other programs recorded, as tables, figures and datasets."""

import re
import zlib
from collections.abc import Callable, Sequence
from lzma import LZMAError
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, cast, get_args

import click

from workbook.commands.outputs import prepare, write
from workbook.commands.refusal import Refusal, choose, reason

if TYPE_CHECKING:
    import xarray as xr

PATH = click.Path(path_type=Path, readable=False)
Read = TypeVar("Read")
Place = Literal["sender", "receiver"]


@click.command(short_help="Read ns-2 traces and captures: tables, figures, datasets.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option("--link", metavar="A-B", help="Of a trace the link to look at, by its nodes; without it, the busiest.")
@click.option("--interface", metavar="NAME", help="Of a capture the interface to look at, by name or number.")
@click.option("--at", "at", metavar="END", help="Of a capture the end it was made at: sender or receiver of the data.")
@click.option("--dataset", "dataset_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>.nc for xarray.")
@click.option("--figures", "figures_dir", metavar="DIR", type=PATH, help="Write DIR/<file stem>/, with index.html.")
def read(
    files: Sequence[Path],
    link: str | None,
    interface: str | None,
    at: str | None,
    dataset_dir: Path | None,
    figures_dir: Path | None,
) -> None:
    """Read traces of ns-2's wired networks, and captures, and print one line per flow, as `workbook run` does.

    \b
      workbook read out.tr
      workbook read out.tr.gz --link 2-3 --figures figures      (figures/out.tr/index.html)
      workbook read two-flows.pcapng --figures figures          (figures/two-flows/index.html)

    A trace of any topology will do (`$ns trace-all`), compressed or not. It is seen from one link: its queue, its
    drops, and the flows whose data pass it from A to B. What a file doesn't tell is not made up: instead of the
    congestion window there is the flight size.

    A capture (pcap, pcapng) is seen from one point, the interface that saw most if it has several; one that
    `workbook run --pcap` wrote, from all four. A point at the sender knows no arrivals, and one at the receiver no
    sendings: "-" stands for these, and a second table has what captures tell. Segments are numbered, not bytes.

    \b
    The second table:
      sent again      segments whose bytes this point had seen before
      dup ACKs        duplicate ACKs (RFC 5681, section 2)
      KB acked        payload acknowledged, in units of 1024; kb/s over the flow's time
      RTT             from a segment's sending to the first ACK that covers it, of those sent once (Karn)
      most in flight  segments sent and not acknowledged

    Memory: about as much as a trace has bytes, uncompressed; for a capture about 1 KB a packet, whatever its size.
    """
    ends = _ends(link)
    if at is not None:
        choose("--at", at, get_args(Place))
    directories = {"--dataset": dataset_dir, "--figures": figures_dir}
    prepare(files, directories)
    for number, path in enumerate(files):
        ds = _read(path, ends, interface, cast("Place | None", at))
        click.echo("\n" * (number > 0) + _report(path, ds))
        write(ds, path.stem, directories)


def _ends(link: str | None) -> tuple[int, int] | None:
    if link is None:
        return None
    if not (match := re.fullmatch(r"(\d+)-(\d+)", link)):
        raise Refusal(f"--link: {link!r} is no link; must be two nodes, as 2-3")
    return int(match[1]), int(match[2])


def _read(path: Path, ends: tuple[int, int] | None, interface: str | None, at: Place | None) -> "xr.Dataset":
    from workbook.reading.frames import is_capture

    if readable(path, is_capture):
        from workbook.reading.capture import read_capture

        return readable(path, lambda path: read_capture(path, interface, at))
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


def _report(path: Path, ds: "xr.Dataset") -> str:
    from simcore.metrics import end_s
    from workbook.export.capture_table import capture_table
    from workbook.export.table import flow_table

    lines = [f"{path}: {ds.attrs['source']}", flow_table(ds, end_s(ds))]
    if "acknowledged_bytes" in ds:
        lines += ["", capture_table(ds)]
    if left_out := ds.attrs["flows_left_out"]:
        lines.append(f"{left_out} flow{'s' * (left_out > 1)} whose data don't pass this link left out.")
    if left_out := ds.attrs.get("packets_left_out"):
        lines.append(f"{left_out} packet{'s' * (left_out > 1)} left out: no TCP, no UDP, fragments, or cut too short.")
    return "\n".join(lines)
