"""Run a scenario of the round model. No byte is made or lost: checked after every run, for every sender and round."""

from typing import Literal

import numpy as np
import xarray as xr

from simcore.results.conservation import ConservationError
from simcore.rounds import dataset, process
from simcore.rounds.rules.sender import ABSENT
from simcore.rounds.scenario import RoundsScenario
from simcore.simulation import require_engine


def simulate_rounds(scenario: RoundsScenario, engine: Literal["process", "compiled"] = "process") -> xr.Dataset:
    """Simulate `scenario` and return its Dataset (`simcore.rounds.dataset` says what is in it).

    "compiled" runs the same rules as machine code and gives the same Dataset. Raises EngineUnavailableError if there is
    no LLVM, and ConservationError if a byte was lost or made.
    """
    result = dataset.build(scenario, _columns(scenario, engine))
    check(result)
    return result


def _columns(scenario: RoundsScenario, engine: str) -> dataset.Columns:
    if engine == "process":
        return dataset.columns_of(scenario, process.run(scenario))
    require_engine(engine)
    from simcore.rounds.compiled import engine as compiled  # it loads LLVM

    return compiled.run(scenario, dataset.TYPES)


def check(dataset: xr.Dataset) -> None:
    """Raise ConservationError unless sent = received + dropped, in every round.

    Sender, router and receiver each count for themselves; nothing is under way between two rounds. A new session
    begins with nothing received.
    """
    table = dataset.variables
    present = table["sent_kind"].values != ABSENT
    sent, dropped = table["sent_bytes"].values, table["dropped_bytes"].values
    got = sum(table[name].values for name in ("in_order_bytes", "held_bytes", "old_bytes"))
    received = np.where(present, np.diff(got, prepend=0), got)
    missing = sent - dropped - received
    if missing.any():
        sender, when = np.argwhere(missing)[0]
        counts = [int(count[sender, when]) for count in (sent, received, dropped, missing)]
        raise ConservationError(
            f"sender {sender + 1}, round {when}: {counts[0]} bytes sent, {counts[1]} received and {counts[2]} dropped; "
            f"{counts[3]} are unaccounted for"
        )
