"""What `make test` leaves to `make test-all`, and what `make test-all` need not repeat.

`make test` is `pytest --short`. It leaves out what is marked

- `exhaustive`;
- `system` or `browser`, unless something that these tests import has changed since they passed here. What a new
  clone has committed counts as passed: continuous integration runs them all. `system("workbook.commands.cli")`
  names modules that the tests' processes run.

and hypothesis makes up fewer examples. `make test-all` is `pytest --rest`: everything, but for what has passed with
the very files that are here now. Plain `pytest` runs all that it is told to.

What passed is kept in pytest's cache: `make clean` forgets it.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import pytest

from tests.costs import Costs
from tests.examples import use_examples
from tests.inputs import all_files, changed_files, hash_of, inputs_of, is_any_newer

KEPT: Final = "workbook/passed"
APART: Final = ("browser", "system")  # the markers of what runs when its inputs have changed


@dataclass
class Known:
    """What is known from before: of tests, by their ids, and of files with marked tests, by their paths."""

    passed: list[str] = field(default_factory=list)  # with the files that are here now
    inputs: dict[str, str] = field(default_factory=dict)  # of files whose marked tests passed, when they did
    changed: list[str] = field(default_factory=list)  # files that are not as they were committed


@dataclass
class Collected:
    """What there was to run, as each worker finds it."""

    left: dict[str, int] = field(default_factory=dict)  # by marker, or "passed before"
    inputs: dict[str, str] = field(default_factory=dict)  # of files with marked tests, as they are now
    apart: dict[str, list[str]] = field(default_factory=dict)  # the marked tests of a file that run
    sampled: list[str] = field(default_factory=list)  # what has fewer examples


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two ways to run a part of the tests."""
    group = parser.getgroup("the bottleneck workbook")
    group.addoption("--short", action="store_true", help="what `make test` runs (see tests/selection.py)")
    group.addoption("--rest", action="store_true", help="what has not passed with the files that are here now")


def pytest_configure(config: pytest.Config) -> None:
    """Before the tests are imported: how many examples are made up."""
    use_examples(short=config.getoption("short"))
    if config.getoption("short") or config.getoption("rest"):
        config.pluginmanager.register(Selection(config), "selection")
        config.pluginmanager.register(Costs(), "costs")


class Selection:
    """Chooses among the tests. Where there are workers it is in each of them, and in the process that starts them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config, self._is_short, self._start_s = config, bool(config.getoption("short")), time.time()
        self._collected, self._outcomes = Collected(), dict[str, str]()
        self._worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        if self._worker is None:
            assert config.cache
            self._files = all_files()
            self._tree = hash_of(self._files)
            self._kept = {"tree": "", "passed": [], "inputs": {}} | config.cache.get(KEPT, {})
            is_same = self._files and self._kept["tree"] == self._tree
            self._known = Known(self._kept["passed"] if is_same else [], self._kept["inputs"], changed_files())
        else:
            self._known = Known(**self._worker[KEPT])

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker: they must all choose the same."""
        node.workerinput[KEPT] = asdict(self._known)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Hear from a worker what there was."""
        if told := getattr(node, "workeroutput", {}).get(KEPT):
            self._collected = Collected(**told)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what need not run."""
        changed, passed = set(self._changed(items)), set(self._known.passed)
        reasons = [self._reason(item, changed, passed) for item in items]
        left = [item for item, reason in zip(items, reasons, strict=True) if reason]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item, reason in zip(items, reasons, strict=True) if not reason]
        self._collected.left = dict(Counter(filter(None, reasons)))
        self._collected.sampled = [item.nodeid for item in items if self._is_short and is_sampled(item)]
        for item in items:
            if kind_of(item):
                self._collected.apart.setdefault(file_of(item), []).append(item.nodeid)

    def _reason(self, item: pytest.Item, changed: set[str], passed: set[str]) -> str:
        """Why a test is left out; nothing if it runs."""
        if not self._is_short:
            return "passed before" if item.nodeid in passed else ""
        if item.get_closest_marker("exhaustive"):
            return "exhaustive"
        return "" if file_of(item) in changed else kind_of(item)

    def _changed(self, items: Iterable[pytest.Item]) -> Iterator[str]:
        """The files with marked tests whose inputs are not those with which they passed."""
        runs: dict[str, set[str]] = {}
        for item in items:
            if kind_of(item):
                named = [module for kind in APART for mark in item.iter_markers(kind) for module in mark.args]
                runs.setdefault(file_of(item), set()).update(named)
        for file, modules in runs.items():
            inputs = inputs_of(file, modules)
            self._collected.inputs[file] = hash_of(inputs)
            as_committed = "" if {*inputs} & {*self._known.changed} else self._collected.inputs[file]
            if self._known.inputs.get(file, as_committed) != self._collected.inputs[file]:
                yield file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what became of a test: passed, or what else its set-up, its call or its end was."""
        if self._outcomes.get(report.nodeid, "passed") == "passed":
            self._outcomes[report.nodeid] = report.outcome

    def pytest_sessionfinish(self) -> None:
        """Keep what passed, unless somebody changed a file meanwhile or asked for some tests only."""
        if self._worker is not None:
            self._config.workeroutput[KEPT] = asdict(self._collected)  # type: ignore[attr-defined]
        elif not self._config.getoption("file_or_dir") and not is_any_newer(self._files, self._start_s):
            assert self._config.cache
            self._config.cache.set(KEPT, self._to_keep())

    def _to_keep(self) -> dict[str, Any]:
        collected = self._collected
        passed = {test for test, outcome in self._outcomes.items() if outcome == "passed"}
        inputs = {**collected.inputs, **self._known.inputs}  # what did not run is as it was, or as committed
        for file, tests in collected.apart.items():
            found = {self._outcomes.get(test, "not run") for test in tests}
            if "failed" in found:
                inputs[file] = "failed"  # so that it runs again, whatever is committed
            elif found <= {"passed", "skipped"}:
                inputs[file] = collected.inputs[file]
        return {
            "tree": self._tree,
            "passed": sorted({*self._known.passed, *passed} - {*collected.sampled}),
            "inputs": inputs,
        }

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was not run, and how to run it."""
        left = self._collected.left
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(left.items()))
        if left and self._is_short:
            terminalreporter.write_line(f"left to make test-all: {sum(left.values())} tests ({kinds})")
        elif left:
            terminalreporter.write_line(f"not repeated: {kinds}, with the very files that are here now")


def kind_of(item: pytest.Item) -> str:
    """Which of the markers APART a test has, if any."""
    return next((kind for kind in APART if item.get_closest_marker(kind)), "")


def is_sampled(item: pytest.Item) -> bool:
    """Whether hypothesis makes up what a test is given, by itself or within."""
    made_up = getattr(getattr(item, "function", None), "is_hypothesis_test", False)
    return made_up or item.get_closest_marker("sampled") is not None


def file_of(item: pytest.Item) -> str:
    """The file that a test is in."""
    return item.nodeid.partition("::")[0]
