"""Looking for faults for as long as one likes: `python -m campaign`, or `make campaign`.

trials.py      what a kind of trial is, what it finds, and one trial within a time
scenarios.py   random scenarios in both engines, bit for bit
bounds.py      scenarios at the bounds that the schema states
inputs.py      damaged files, for every command that reads one
damage.py      how a file is damaged, by its schema or without one
kills.py       sweeps and the figures' build, killed and continued
report.py      counts, seeds, and what was found, as files

A seed gives the same trials with the same code and the same kinds before it: Hypothesis takes constants from the
modules that are loaded. What was found is kept as files, and becomes a test.
"""
