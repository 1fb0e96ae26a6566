"""The public names' docstrings: numpydoc's sections, and what they say of dimensions, units and errors is so."""

import inspect
import re
from collections.abc import Callable, Iterator

import pytest
import xarray as xr
import yaml

import simcore
from simcore import TOTALS, Recording, Scenario, metrics, scenario_from, simulate

NAMES = {"sender_state": "sack_pipe", "queue_state": "red_average"}
GIVEN = {"bin_s": 0.1, "cause": "fast_retransmit", "start_s": 0.5, "end_s": 1.5}


def public() -> Iterator[tuple[str, object]]:
    for module in (simcore, metrics):
        yield from ((f"{module.__name__}.{name}", getattr(module, name)) for name in module.__all__)
    for owner in (Scenario, metrics.Replications, metrics.Interval):
        own = (item for item in vars(owner).items() if not item[0].startswith("_") and item[0] != "model_config")
        yield from ((f"{owner.__name__}.{name}", item) for name, item in own if inspect.isfunction(item))


FUNCTIONS = {name: item for name, item in public() if inspect.isfunction(item)}
OF_DATASETS = [
    name
    for name in metrics.__all__
    if inspect.isfunction(getattr(metrics, name)) and "ds" in inspect.signature(getattr(metrics, name)).parameters
]
CLASSES = {name: item for name, item in public() if inspect.isclass(item)}


def sections(item: object) -> dict[str, str]:
    """The text under each underlined heading."""
    parts = re.split(r"^(\w+)\n-+$", inspect.getdoc(item) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def entries(section: str) -> set[str]:
    """The names that a section describes: `start_s, end_s : float` are two."""
    heads = re.findall(r"^(\w[\w, ]*?) : ", section, re.MULTILINE)
    return {name for head in heads for name in head.split(", ")}


@pytest.fixture(scope="module")
def run() -> xr.Dataset:
    flow = {"packet_bytes": 1000, "start_s": 0.1, "stop_s": 2}
    tcp = {"kind": "tcp", "variant": "reno", "window_packets": 20, **flow}
    bottleneck = {"rate_mbps": 2, "delay_ms": 10, "queue": "droptail", "buffer_packets": 5}
    scenario = {
        "profile": "ns-2.27",
        "end_s": 2.5,
        "bottleneck": bottleneck,
        "onward": [bottleneck | {"queue": "red"}],
        "flows": [tcp, tcp | {"variant": "sack", "transfer_bytes": 20_000}],
    }
    return simulate(scenario_from(scenario), recording=Recording(states=True))


def call(name: str, ds: xr.Dataset) -> object:
    metric: Callable[..., object] = getattr(metrics, name)
    given = GIVEN | {"flow": 1, "name": NAMES.get(name)}
    required = {
        parameter.name: given[parameter.name]
        for parameter in list(inspect.signature(metric).parameters.values())[1:]
        if parameter.default is parameter.empty
    }
    return metric(ds, **required)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_and_what_comes_back_is_described(name: str) -> None:
    said = sections(FUNCTIONS[name])
    assert entries(said.get("Parameters", "")) == set(inspect.signature(FUNCTIONS[name]).parameters) - {"self"}
    assert said["Returns"].strip()


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_says_what_it_is_and_what_it_holds(name: str) -> None:
    item = CLASSES[name]
    assert inspect.getdoc(item)
    if hasattr(item, "model_fields"):  # each field has its description where it is declared
        assert all(field.description for field in item.model_fields.values())
    elif not issubclass(item, Warning | simcore.ScenarioError | simcore.EngineUnavailableError):
        assert entries(sections(item)["Attributes"]) >= set(getattr(item, "__annotations__", {}))


def test_every_constant_is_described_by_its_module() -> None:
    constants = {name for name in simcore.__all__ if not callable(getattr(simcore, name))}
    assert entries(sections(simcore)["Attributes"]) == constants


@pytest.mark.parametrize("name", OF_DATASETS)
def test_dimensions_and_units_are_as_they_are_described(name: str, run: xr.Dataset) -> None:
    returned, found = " ".join(sections(getattr(metrics, name))["Returns"].split()), call(name, run)
    if isinstance(found, xr.DataArray):
        assert re.findall(r"Dimension `(\w+)`", returned) == list(found.dims)
        assert f"Unit: {found.attrs['units']}." in returned or (name in NAMES and "as the rules say" in returned)
        assert ("time_s" in found.coords) == ("`time_s` in s" in returned)
    elif isinstance(found, xr.Dataset):
        assert re.findall(r"Dimension `(\w+)`", returned) == list(found.dims)
        assert all(f"`{variable}`" in returned for variable in found.data_vars)
    elif name.endswith(("_s", "_kbps", "_kb", "_percent", "_packets", "_bytes", "_mbps")):
        assert re.search(r"Unit: \S|In kb/s", returned)


@pytest.mark.parametrize("name", OF_DATASETS)
def test_a_metric_raises_what_it_says_without_what_it_needs(name: str, run: xr.Dataset) -> None:
    totals = simulate(scenario_from(yaml.safe_load(run.attrs["scenario"])), recording=TOTALS)
    if "KeyError" in sections(getattr(metrics, name)).get("Raises", ""):
        with pytest.raises(KeyError):
            call(name, totals)
    else:
        call(name, totals)
