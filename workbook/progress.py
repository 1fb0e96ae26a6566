"""A bar while something takes long: on a terminal and in a notebook that somebody looks at, and nowhere else."""

import os
from collections.abc import Collection, Iterator
from typing import TypeVar

from tqdm.auto import tqdm

Item = TypeVar("Item")


def progress(items: Collection[Item], what: str) -> Iterator[Item]:
    """The items, one after the other, with a bar that goes away in the end.

    Where the environment has TQDM_DISABLE, as the build sets it, there is none: it would stay in the executed notebook.
    """
    silent = True if os.environ.get("TQDM_DISABLE") else None  # None: not where there is no terminal
    yield from tqdm(items, desc=what, leave=False, disable=silent)
