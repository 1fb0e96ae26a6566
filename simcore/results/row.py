"""The row of a table of the log, for an engine that adds rows one by one."""

from struct import Struct
from typing import Any

import numpy as np
import numpy.typing as npt


class Row:
    """The columns of a table of the log, with their types: letters that `struct` and numpy share.

    To pack a row and to add it takes two calls; to add a number to each of several columns takes a call a column.
    """

    def __init__(self, table: str, **columns: str) -> None:
        self.table = table
        self.dtype = np.dtype(list(columns.items()))
        self.pack = Struct("=" + "".join(columns.values())).pack

    def columns(self, rows: bytearray) -> dict[str, npt.NDArray[Any]]:
        """What was packed, by the names that the log has for its columns."""
        packed = np.frombuffer(bytes(rows), self.dtype)
        return {f"{self.table}_{name}": np.ascontiguousarray(packed[name]) for name in self.dtype.names or ()}
