"""The slow start of a control that has its own, as Vegas, BBR and those of Linux: the control is told of all new data.

No scenario names it: a control with OWN_SLOW_START has it.
"""

from typing import Final

from simcore.rules.congestion import control
from simcore.rules.tcp.sender import TcpState

NAME: Final = "slow start of the control"
SINCE: Final = 1994  # Vegas
ABOUT: Final = "the control opens the window below ssthresh, too"


def data_acknowledged(tcp: TcpState, state: object, now: float) -> None:
    """Pass it on, whatever ssthresh is."""
    control.data_acknowledged(tcp, now)
