"""The public names' docstrings: numpydoc's sections, and what they say of dimensions, units and errors is so.

What all metrics share is said by their package's docstring, once. A metric counts as saying it where the package's rule
covers it, and only there.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from types import UnionType
from typing import get_args, get_origin

import pytest
import xarray as xr
import yaml

import simcore
from simcore import TOTALS, Recording, Scenario, metrics, scenario_from, simulate
from simcore.metrics.series import NotRecordedError

ANY_RUN = re.compile(r"\bAny run will do\b")
UNITS = {"_s": "s", "_per_s": "1/s", "_mbps": "Mb/s", "_kbps": "kb/s", "_kb": "KiB", "_bytes": "bytes"}
UNITS |= {"_packets": "packets", "_percent": "%"}
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


def headings(section: str) -> set[str]:
    """The types that a section describes, without their modules: `float, numpy.ndarray` are two."""
    heads = re.findall(r"^(\w.*)$", section, re.MULTILINE)
    return {kind.rpartition(".")[2] for head in heads for kind in head.split(", ")}


OF_METRICS = ("simcore.metrics", "Replications")
_, ARGUMENTS, COMES_BACK, _ = re.split(r"^.*:$", inspect.getdoc(metrics) or "", flags=re.MULTILINE)
SHARED, RESULTS = entries(ARGUMENTS), headings(COMES_BACK)


def is_shared(name: str, parameter: inspect.Parameter) -> bool:
    """Does the package say what this parameter of a function of its own is? Of one that may be None it doesn't."""
    may_be_none = type(None) in get_args(parameter.annotation)
    return name.startswith(OF_METRICS) and parameter.name in SHARED and not may_be_none


def kinds(annotation: type) -> set[str]:
    """What a function returns, by the names of the types, besides None."""
    parts = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    return {(get_origin(part) or part).__name__ for part in parts} - {"NoneType"}


def first_paragraph(item: object) -> str:
    return " ".join((inspect.getdoc(item) or "").partition("\n\n")[0].split())


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
def test_every_parameter_is_described_once(name: str) -> None:
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    own = {each for each, parameter in parameters.items() if not is_shared(name, parameter)} - {"self"}
    assert entries(sections(FUNCTIONS[name]).get("Parameters", "")) == own


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_comes_back_is_described(name: str) -> None:
    """By the package, if it is of a type that is described there; the next tests ask for the rest."""
    if not name.startswith(OF_METRICS) or kinds(inspect.signature(FUNCTIONS[name]).return_annotation) - RESULTS:
        assert sections(FUNCTIONS[name])["Returns"].strip()


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
    metric, result = getattr(metrics, name), call(name, run)
    returned = " ".join(sections(metric).get("Returns", "").split())
    if isinstance(result, xr.DataArray | xr.Dataset):
        assert (re.findall(r"Dimension `(\w+)`", returned) or ["flow"]) == list(result.dims)
        assert ("time_s" in result.coords) == ("flow" not in result.dims)
    if isinstance(result, xr.Dataset):
        assert all(f"`{variable}`" in returned for variable in result.data_vars)
    elif isinstance(result, xr.DataArray) and returned:
        assert f"Unit: {result.attrs['units']}." in returned or (name in NAMES and "as the rules say" in returned)


@pytest.mark.parametrize("name", OF_DATASETS)
def test_what_has_no_section_of_its_own_names_its_unit_at_once(name: str, run: xr.Dataset) -> None:
    metric, result = getattr(metrics, name), call(name, run)
    ending = max((ending for ending in UNITS if name.endswith(ending)), key=len, default="")
    unit = result.attrs["units"] if isinstance(result, xr.DataArray) else UNITS.get(ending)
    if unit and "Returns" not in sections(metric):
        assert re.search(rf"\bin {re.escape(unit)}(?!\w)", first_paragraph(metric))


@pytest.mark.parametrize("name", OF_DATASETS)
def test_a_metric_needs_packets_unless_it_says_that_any_run_will_do(name: str, run: xr.Dataset) -> None:
    totals = simulate(scenario_from(yaml.safe_load(run.attrs["scenario"])), recording=TOTALS)
    if ANY_RUN.search(inspect.getdoc(getattr(metrics, name)) or ""):
        call(name, totals)
    else:
        with pytest.raises(NotRecordedError):
            call(name, totals)
