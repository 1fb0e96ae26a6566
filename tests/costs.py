"""Which room costs what: the seconds of all tests in a folder, at the end of `make test` and `make test-all`."""

from collections import defaultdict

import pytest


class Costs:
    """Adds up what each test took, with its fixtures."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a test, or what was made for it."""
        self._seconds[report.nodeid.partition("::")[0].rpartition("/")[0]] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line, the most expensive room first."""
        costs = sorted(self._seconds.items(), key=lambda cost: -cost[1])
        rooms = [f"{room} {seconds:.0f}" for room, seconds in costs if seconds >= 0.5]
        terminalreporter.write_line(f"seconds by room: {', '.join(rooms)}")
