"""The rooms of the workbook in layers, and what each of them may import. `tests/test_layers.py` holds them to it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

NOTEBOOKS: Final = "notebooks"
DATA: Final = ("params", "claims")


class Layer(NamedTuple):
    """Rooms of one height, by their folders."""

    title: str
    rooms: tuple[str, ...]


LAYERS: Final = (
    Layer("The story", (NOTEBOOKS, *DATA)),
    Layer("What people start", ("workbook/commands", "workbook/studio")),
    Layer("Pages, sliders, labs", ("workbook/teaching", "workbook/site", "workbook/explore", "workbook/book")),
    Layer("Chapters and their verdicts", ("workbook/build", "workbook/chapters", "workbook/ledger")),
    Layer("Many runs, files, figures", ("workbook/sweep", "workbook/reading", "workbook/export", "workbook/plots")),
    Layer("A run, and numbers made of it", ("simcore/rounds", "simcore", "simcore/metrics")),
    Layer("Engines", ("simcore/kernel", "simcore/webassembly", "simcore/process", "simcore/compiled")),
    Layer("What engines build a run from, and what it leaves", ("simcore/network", "simcore/results")),
    Layer("What is asked, and what must happen", ("simcore/scenario", "simcore/rules")),
)
"""From above. An import goes to a room that is named later."""
ROOMS: Final = tuple(room for layer in LAYERS for room in layer.rooms)

ENGINES_STAND_ON: Final = (
    "simcore.rules",
    "simcore.scenario",
    "simcore.network",
    "simcore.results.log",
    "simcore.results.row",
    "simcore.results.totals",
)
STANDS_ON: Final[Mapping[str, tuple[str, ...]]] = {
    "simcore/metrics": ("simcore.results",),
    "simcore/kernel": ("simcore.process", "simcore.extras", *ENGINES_STAND_ON),
    "simcore/webassembly": ("simcore.compiled", *ENGINES_STAND_ON),
    "simcore/process": ENGINES_STAND_ON,
    "simcore/compiled": ("simcore.extras", *ENGINES_STAND_ON),
    "simcore/network": ("simcore.scenario", "simcore.rules", "simcore.results.log"),
    "simcore/results": ("simcore.scenario", "simcore.rules"),
    "simcore/scenario": ("simcore.rules",),
    "simcore/rules": (),
}
"""Rooms that import, of simcore, besides their own modules these alone, although more lies below them."""
DOES_WITHOUT: Final[Mapping[str, tuple[str, ...]]] = {
    "workbook": ("notebooks", "tests", "simpy", "numba", "simcore.process", "simcore.compiled", "simcore.kernel"),
    "simcore": ("workbook", "notebooks", "tests"),
    "simcore/metrics": ("simpy",),
    "simcore/process": ("numpy", "numba", "xarray"),
    "simcore/compiled": ("simpy", "xarray"),
    "simcore/network": ("simpy", "numpy", "xarray"),
    "simcore/results/log.py": ("simcore.results.dataset",),
    "simcore/scenario": ("simpy", "numpy", "xarray"),
    # pydantic it has, because a queue or a source says itself what a scenario may say of it
    "simcore/rules": ("simpy", "numpy", "numba", "xarray", "yaml", "random", "time"),
}
"""What the files of a folder do not import, whichever layer it is in."""
