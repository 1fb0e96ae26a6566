"""What is kept of the sweep params/sweeps/many-flows.yaml in figures/sweeps/, as an xarray Dataset.

workbook sweep params/sweeps/many-flows.yaml
python -m workbook.chapters.many_flows.keep build/sweeps/many-flows.zarr
"""

import json
from typing import Final

import xarray as xr

from simcore.metrics import jain_index
from workbook.paths import REPO

KEPT: Final = REPO.sweeps / "many-flows.json"
SUMMED: Final = ("sent", "dropped", "received", "fast_retransmits", "timeouts")
JAIN_DIGITS: Final = 6


def sums(sweep: xr.Dataset) -> xr.Dataset:
    """Of each cell of the sweep the packets of all flows together, and Jain's index of what they received."""
    cells = sweep["received"].stack(cell=("n", "buffer", "replication"))
    fair = [round(jain_index(cells.isel(cell=i).dropna("flow")), JAIN_DIGITS) for i in range(cells.sizes["cell"])]
    index = cells.isel(flow=0, drop=True).copy(data=fair).unstack("cell")
    return sweep[list(SUMMED)].sum("flow").astype(int).assign(jain=index).drop_attrs()


def write(dataset: xr.Dataset, params: str) -> None:
    """Keep it, with the parameters of the sweep."""
    KEPT.write_text(json.dumps({"params": params, "found": dataset.to_dict()}, separators=(",", ":")) + "\n", "utf-8")


def load() -> xr.Dataset:
    """What was kept.

    By number of flows `n`, `buffer` and `replication` what `sums` gives. By `n` and `look`, the first replications, for
    one buffer: `correlation`, the mean correlation of two flows' windows; `rto_s`; `queue_packets`; `jain_jittered`, of
    the same run with a random delay before each packet; and by `law` and `p` `law_packets`, what the laws say. The
    attribute `params` is the text of the sweep's file.
    """
    kept = json.loads(KEPT.read_text("utf-8"))
    return xr.Dataset.from_dict(kept["found"]).assign_attrs(params=kept["params"])
