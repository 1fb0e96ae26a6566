"""Senders, the router and receivers as SimPy processes. Time counts rounds, and each acts once in every round:

    0      the senders read the ACKs of the previous round and send their bursts
    1/4    the router lets segments pass or drops them
    1/2    the receivers acknowledge what arrived

Quarters are exact in binary, so that no process drifts from its place however long the run.
"""

from simcore.rounds.process.network import run

__all__ = ["run"]
