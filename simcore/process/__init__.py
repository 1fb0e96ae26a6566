"""The process model: senders, a router and receivers as SimPy processes, to be read from top to bottom.

    sender -> port -> link -> receiver          data
    sender <- link <- port <- receiver          acknowledgements

It is the reference that the chapters and labs explain, and exact to ns-2's order of events (see `clock`).
"""

from simcore.process.network import run

__all__ = ["run"]
