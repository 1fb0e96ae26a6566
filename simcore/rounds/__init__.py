"""The round model: competing Tahoe senders, when time moves in round trips (Stambler and Do, 2010).

    rules/      what senders, receivers and the router do, and in which readings
    process/    the SimPy processes that meet once a round and run the rules
    metrics     utilisation and events: functions of a Dataset

With the packet model it shares what is truly the same: three duplicate ACKs tell of a loss, two segments are the
least ssthresh, and scenario files are read and criticized alike. The rest is not the same, though it sounds so:

- Windows are whole bytes in whole-number arithmetic, ns-2's are real numbers of packets: 1024 * 1024 // cwnd is not
  1 / cwnd.
- A sender without room for a segment sends one byte of data, as TCP does only when the receiver has closed its
  window. Here it is what brings the duplicates.
- Congestion avoidance adds MSS/8 more for every ACK, a term that ns-2 and the standards don't have.
- The timer counts three rounds without a new ACK; there is no estimate of the round trip, and no back-off.
- After a loss the sender doesn't go back: every lost segment waits for three duplicates of its own.
- The router forgets its queue after every round, and has a mismatch instead of rates.
"""

from simcore.rounds.loading import load_rounds_scenario, rounds_scenario_from
from simcore.rounds.scenario import RoundsScenario
from simcore.rounds.simulation import simulate_rounds

__all__ = ["RoundsScenario", "load_rounds_scenario", "rounds_scenario_from", "simulate_rounds"]
