from collections.abc import Iterator

import pytest

from tests.sheets import quickly
from workbook.teaching.sandbox.channel import Limits, RefusedError, Sandbox

__all__ = ["box", "quickly"]

QUICK = Limits(cell_cpu_s=1.0, silent_s=20.0, sheet_s=60.0)


@pytest.fixture(scope="package")
def box() -> Iterator[Sandbox]:
    """A sandbox, for all tests: to start one takes longer than they do."""
    with Sandbox(isolated=True, limits=QUICK) as found:
        try:
            found.check()
        except RefusedError as refused:
            pytest.skip(f"no namespaces on this system: {refused}")
        yield found
