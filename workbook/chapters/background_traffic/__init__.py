"""The chapter on Reno, Tahoe and background traffic: what it needs beside what every chapter has.

settings     what its parameters say beside scenarios: seeds, bins, scenes
runs         replications of a case, and what the sinks counted
numbers      the named numbers of a case
rules        how slow start, congestion avoidance and fast recovery changed the windows of one run
looks        what the streams are called and how they look
streams      their bandwidth over time, and how they share the link
averages     their means with intervals, and what the paper printed beside them
topology     the network drawn from the scenario
scenes       a few moments of a run, packet by packet
player       the page that plays them
keep         what is kept of the sweeps of thousands of runs
phase        who wins over the delays, by what is kept
phase_plots  and how that is drawn
clock        the phase effect packet by packet
study        what the notebook holds
"""
