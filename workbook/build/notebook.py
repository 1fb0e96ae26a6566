"""Executes one notebook in the running Python and says in one line what went wrong in it."""

import ast
import json
import logging
import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from workbook.build.kernel import WaitingKernel

SETTINGS: Final = {"MATPLOTLIBRC": os.devnull, "TQDM_DISABLE": "1"}
"""In the environment of kernels: the user's own matplotlibrc must not change a result, and a bar would stay in the
executed notebook, where nobody looks while it runs."""

LONGEST_DIRECTORY = 90
"""Characters; with a name, a socket's path must fit into 104 bytes on macOS and 108 on Linux."""

LONGEST_CELL_S = 1800
"""A cell that takes longer hangs; the longest takes a minute on a quiet machine."""

OnCell = Callable[[int, int], None]
"""Called before a cell runs, with its number from 1 and how many there are."""


class NotebookError(Exception):
    """A notebook that can't be run or didn't run to its end; the message is one line for a person."""


def check_parameters(notebook: Path, expected: Collection[str]) -> None:
    """Raise NotebookError unless the notebook's parameters cell sets exactly the expected names.

    papermill itself only warns of a parameter that the notebook doesn't know, and a name in the
    notebook that nobody sets would be a number outside params/.
    """
    names, wanted = _parameter_names(notebook), sorted(expected)
    if names != wanted:
        raise NotebookError(
            f"{notebook}: the parameters cell sets {', '.join(names) or 'nothing'}; "
            f"it must set exactly {', '.join(wanted)}"
        )


def _parameter_names(notebook: Path) -> list[str]:
    """The names assigned in the one cell tagged `parameters`, sorted."""
    tagged = [cell for cell in _cells(notebook) if "parameters" in cell["metadata"].get("tags", [])]
    if len(tagged) != 1:
        raise NotebookError(f"{notebook}: {len(tagged)} cells are tagged `parameters`; it must be one")
    try:
        nodes = ast.walk(ast.parse("".join(tagged[0]["source"])))
    except SyntaxError as error:
        raise NotebookError(f"{notebook}: the parameters cell isn't Python: {error.msg}") from None
    return sorted(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _cells(notebook: Path) -> list[dict[str, Any]]:
    from nbformat.validator import iter_validate  # slow to import, and only needed here

    try:
        content = json.loads(notebook.read_text("utf-8"))
        wrong = next(iter_validate(content, version=4, version_minor=content.get("nbformat_minor")), None)
    except OSError as error:
        raise NotebookError(f"{notebook}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise NotebookError(f"{notebook}: not a notebook") from None
    if wrong is not None:
        raise NotebookError(f"{notebook}: not a notebook: {wrong.message.splitlines()[0]}")
    cells: list[dict[str, Any]] = content["cells"]
    return cells


def execute(
    notebook: Path,
    executed: Path,
    parameters: Mapping[str, str],
    on_cell: OnCell,
    waiting: "WaitingKernel | None" = None,
) -> None:
    """Run `notebook` in the current directory and write it, with its outputs, to `executed` as it goes.

    A kernel is started, unless there is one that waits. Raises NotebookError for a cell that failed or a kernel that
    died; `executed` then holds what was done.
    Changes this process's environment: call it in a process of its own.
    """
    from papermill import execute_notebook  # slow to import, and only needed here
    from papermill.exceptions import PapermillExecutionError

    running = Running(len(_cells(notebook)) + 1, on_cell)  # papermill adds a cell with the parameters
    executed.parent.mkdir(parents=True, exist_ok=True)
    logging.getLogger("papermill").disabled = True  # what it would log is in the NotebookError
    try:
        with _kernel(waiting) as kernel:
            execute_notebook(
                notebook,
                executed,
                dict(parameters),
                progress_bar=False,
                on_cell_execute=running.tell,
                execution_timeout=LONGEST_CELL_S,
                **kernel,
            )
    except PapermillExecutionError as error:
        reason = f"cell [{error.exec_count}] {_quoted(error.source)}: {error.ename}: {_last_line(error.evalue)}"
        raise NotebookError(f"{notebook} failed in {reason}; see {executed}") from None
    except Exception as error:  # a kernel that dies, or doesn't start, may raise anything
        reason = f"cell {_quoted(running.source)}: {type(error).__name__}: {_last_line(str(error))}"
        raise NotebookError(f"{notebook} failed in {reason}; see {executed}") from None


class Running:
    """Which cell is being executed."""

    def __init__(self, count: int, on_cell: OnCell) -> None:
        self.count = count
        self.on_cell = on_cell
        self.source = ""

    def tell(self, cell: Mapping[str, Any], cell_index: int) -> None:
        """nbclient's hook before each cell."""
        self.source = cell["source"]
        self.on_cell(cell_index + 1, self.count)


@contextmanager
def _kernel(waiting: "WaitingKernel | None") -> Iterator[dict[str, Any]]:
    """papermill's options for a kernel in the running Python, whatever kernelspecs and settings the user has."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from traitlets import default
    from traitlets.config import Config

    from workbook.build.kernel import Forked

    class ThisPython(AsyncKernelManager):
        @default("kernel_spec_manager")
        def _native_kernel_alone(self) -> KernelSpecManager:
            return KernelSpecManager(kernel_dirs=[])

        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            if waiting:
                self.provisioner = Forked(waiting, parent=self, kernel_spec=self.kernel_spec)

    with tempfile.TemporaryDirectory(prefix="kernel-") as directory:
        os.environ.update(SETTINGS, IPYTHONDIR=f"{directory}/ipython")  # without the user's own start-up scripts
        connection = {"connection_file": f"{directory}/kernel.json"}
        if len(directory) < LONGEST_DIRECTORY:  # kernels that start at once can pick the same TCP port
            connection |= {"transport": "ipc", "ip": f"{directory}/kernel"}
        yield {
            "kernel_name": "python3",
            "kernel_manager_class": ThisPython,
            "config": Config({"ThisPython": connection}),
            "shutdown_kernel": "immediate",  # nothing in it is needed after the last cell
        }


def _quoted(source: str) -> str:
    """The first line of a cell that isn't blank."""
    return next((f"`{line.strip()}`" for line in source.splitlines() if line.strip()), "``")


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"
