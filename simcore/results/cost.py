"""What a run will need, before it starts: packets, seconds and memory, estimated from rates, windows and times.

An estimate is to be above what comes out, but by less than a few times. Every flow is taken to send as fast as its
slowest link, its window and its source let it, and all of its packets to be delivered and acknowledged.
"""

from typing import Final, NamedTuple

from simcore.results.log import EVERYTHING, Recording
from simcore.scenario.flows import TcpFlow
from simcore.scenario.reach import expected_rows, packets_sent, usable_window, waiting_slots
from simcore.scenario.scenario import Scenario

# Measured on one machine and rounded up; `tests/simcore/results/test_cost.py` compares packets and memory with runs.
SECONDS_AN_EVENT: Final = {"process": 12e-6, "compiled": 0.05e-6}
SECONDS_A_RECORDED_EVENT: Final = 0.6e-6  # its part of the Dataset
BYTES_A_PACKET: Final = 300  # its row of the Dataset, and what making it takes; an ACK is one too
BYTES_OF_STATES: Final = 250  # likewise, of what rules record of their states when a packet or an ACK comes
BYTES_AN_EVENT: Final = 40  # its row of the log, and the room that is made for others
BYTES_A_SLOT: Final = {"process": 40, "compiled": 520}  # of a queue in bytes; compiled, up to 16 times as many are made
BYTES_A_PLACE: Final = 48  # of a window: holes at the receiver, the scoreboard, the clock of Vegas


class Cost(NamedTuple):
    """What a run needs, about and at most.

    Attributes
    ----------
    packets : float
        Data packets that are sent.
    seconds : float
        CPU time, without compiling.
    memory_bytes : float
        Memory, beside what Python and its libraries take.
    """

    packets: float
    seconds: float
    memory_bytes: float


def cost_of(scenario: Scenario, engine: str, recording: Recording = EVERYTHING) -> Cost:
    """Estimate a run.

    Parameters
    ----------
    scenario : Scenario
        What would be simulated.
    engine : str
        "process" or "compiled"; those on the kernel take as long as what they run.
    recording : Recording
        What would be kept.

    Returns
    -------
    Cost
        Packets, seconds and bytes.
    """
    sent = packets_sent(scenario)
    rows = expected_rows(scenario, sent)
    seconds = scenario.end_s  # of an engine in real time
    if engine in SECONDS_AN_EVENT:
        seconds = rows.events * (SECONDS_AN_EVENT[engine] + SECONDS_A_RECORDED_EVENT * recording.packets)
    places = sum(usable_window(scenario, flow) for flow in scenario.flows if isinstance(flow, TcpFlow))
    logged = recording.packets or engine != "compiled"
    log_bytes = BYTES_AN_EVENT * rows.events + BYTES_A_PACKET * rows.packets if logged else 0.0
    log_bytes += BYTES_OF_STATES * rows.packets * recording.states
    slot_bytes = BYTES_A_SLOT.get(engine, BYTES_A_SLOT["process"]) * waiting_slots(scenario)
    return Cost(sum(sent), seconds, BYTES_A_PLACE * places + slot_bytes + log_bytes)
