"""A run as a tree: a group for each table of its Dataset, with dimensions and short names of its own.

    packets, acks    data packets and ACKs in the order in which they were sent
    sacks            the SACK blocks of ACKs, of a Linux kernel (dimension sack)
    windows          changes of the senders' windows          (dimension update)
    queue            changes of the bottleneck's queue        (dimension change)
    events           the trace                                (dimension event)
    states           what senders' rules record of their states, if asked for
    disciplines      what queues' rules do
    flows            what each flow is, and its totals

`simulate` returns the flat Dataset, whose variables `packet_seq`, `update_cwnd`, ... are `packets/seq`,
`windows/cwnd`, ... here. Neither direction copies a number.
"""

from typing import Final

import xarray as xr

from simcore.results.totals import MEANINGS as TOTALS

Run = xr.Dataset | xr.DataTree
"""One run: the flat Dataset of `simulate`, or the node of a tree."""

GROUPS: Final = {
    "packet": "packets",
    "ack": "acks",
    "sack": "sacks",
    "update": "windows",
    "change": "queue",
    "event": "events",
    "state": "states",
    "discipline": "disciplines",
    "flow": "flows",
}


def tree_of(run: Run) -> xr.DataTree:
    """The run as a tree, with the attributes of the Dataset; a tree is returned as it is.

    Raises ValueError for a variable that lies along no dimension of a run.
    """
    if isinstance(run, xr.DataTree):
        return run
    groups: dict[str, dict[str, xr.Variable]] = {}
    for name, variable in run.variables.items():
        if len(variable.dims) != 1 or variable.dims[0] not in GROUPS:
            raise ValueError(f"{name}: has the dimensions {variable.dims}; must have one of {', '.join(GROUPS)}")
        dim = str(variable.dims[0])
        groups.setdefault(dim, {})[_short(dim, str(name))] = variable
    nodes = {GROUPS[dim]: _group(dim, groups[dim]) for dim in GROUPS if dim in groups}
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs=run.attrs), **nodes})


def dataset_of(run: Run) -> xr.Dataset:
    """The run as the flat Dataset that `simulate` returned; a Dataset is returned as it is.

    A node without these groups, as a run of the model in rounds has, is its own Dataset.
    """
    if isinstance(run, xr.Dataset):
        return run
    if not set(GROUPS.values()) & set(run.children):
        return run.to_dataset()
    variables = {
        _long(dim, str(name)): variable
        for dim, group in GROUPS.items()
        if group in run.children
        for name, variable in run[group].variables.items()
    }
    flow = variables.pop("flow")
    return xr.Dataset(variables, {"flow": flow}, run.attrs)


def _group(dim: str, variables: dict[str, xr.Variable]) -> xr.Dataset:
    coordinates = {name: variables.pop(name) for name in (dim, "time_s") if name in variables}
    return xr.Dataset(variables, coordinates)


def _short(dim: str, name: str) -> str:
    short = name.removeprefix(f"{dim}_")
    return "time_s" if short == "s" else short


def _long(dim: str, name: str) -> str:
    if name == "flow" == dim or (dim == "flow" and name in TOTALS):
        return name
    return f"{dim}_{'s' if name == 'time_s' else name}"
