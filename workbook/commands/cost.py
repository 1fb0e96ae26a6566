"""What a command says of its cost before it starts, and what it refuses."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import click

from workbook.commands.refusal import Refusal

if TYPE_CHECKING:
    from simcore.results.cost import Cost

GB: Final = 1e9
LARGE_SECONDS: Final = 20.0
LARGE_BYTES: Final = 1.0 * GB
ALLOWED: Final = 0.75  # of this machine's memory

max_memory_option = click.option(
    "--max-memory", metavar="GB", type=click.FloatRange(min=0, min_open=True),
    help="Refuse what would need more.  [default: three quarters of this machine's memory]",
)  # fmt: skip


def announce(costs: Mapping[str, "Cost"], max_memory: float | None) -> None:
    """Say of each that is large what it will need. Raises Refusal for those that need more memory than is allowed."""
    allowed = max_memory or ALLOWED * machine_memory_bytes() / GB
    too_large = [name for name, cost in costs.items() if cost.memory_bytes > allowed * GB]
    if too_large:
        more = f"more than the {allowed:.3g} GB allowed; shorten it, or allow more with --max-memory"
        raise Refusal(*(f"{name}: would need about {in_words(costs[name])}, {more}" for name in too_large))
    for name, cost in costs.items():
        if cost.seconds > LARGE_SECONDS or cost.memory_bytes > LARGE_BYTES:
            click.echo(f"{name}: up to about {in_words(cost)}", err=True)


def in_words(cost: "Cost") -> str:
    """A cost in words."""
    minutes = cost.seconds / 60
    time = f"{minutes:,.0f} min" if minutes < 120 else f"{minutes / 60:,.0f} h"
    time = f"{cost.seconds:.0f} s" if minutes < 2 else time
    return f"{cost.memory_bytes / GB:,.2g} GB and {time} for {cost.packets:,.0f} packets"


def machine_memory_bytes() -> float:
    """The memory of this machine."""
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
