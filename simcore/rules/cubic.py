"""CUBIC (RFC 9438): the window is a cubic function of the time since the last loss, whatever the round-trip time.

The rules of loss detection and recovery are those of the SACK sender.
"""

from typing import Final

from simcore.rules import sack
from simcore.rules.growth import CUBIC

SELECTIVE_ACKS: Final = True
GROWTH: Final = CUBIC

State = sack.State
arrays = sack.arrays
ack_arrived = sack.ack_arrived
timer_expired = sack.timer_expired
next_segment = sack.next_segment
may_send = sack.may_send
