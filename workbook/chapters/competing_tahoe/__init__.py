"""The chapter on competing Tahoe senders, in rounds: what it needs beside what every chapter has.

settings       what its parameters say beside scenarios: seeds, what the report prints, the sweep, the packet model
track          one sender's run: its cycles and spikes
measures       the numbers of a run
competing      the events that the report narrates of two senders that start together
pauses         and of a second sender that comes back, or comes late
runs           a case with all its seeds
numbers        the named numbers of a case: distributions over the seeds
looks          colours and names of senders and readings
windows        the report's four windows of one run, and every run's congestion window
router_chart   the router's rule as a flow chart
utilisations   who gets how much, in every case
timeline       when the narrated events happen
deeper         utilisation against buffer size, and why it falls
deeper_plots   and how that is drawn
packets        the same two senders in the packet model
comparison     rounds against packets, property by property
packet_plots   and how the two models are drawn
study          what the notebook holds
"""
