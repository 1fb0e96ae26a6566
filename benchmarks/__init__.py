"""How fast the engines are, beside other simulators: `python -m benchmarks`, or `make bench`.

loads.py      what is simulated
ours.py       the engines of this project, timed in this process
rivals.py     other simulators, each a program of its own in programs/
rounds.py     everybody takes turns, so that a busy machine is busy for all
kinds.py      each kind of network that is compiled apart
costs.py      start-up, a small run, memory
results.py    medians, spreads and ratios, as they are written to a file
report.py     the tables        picture.py     the figure
"""
