"""The rulebook: what TCP senders, sinks and queues do, each rule written once.

A rule is a plain function over a state object whose fields it reads and writes by attribute. It knows no clock, no
simulator, no files and no randomness: time comes in as an argument, and what is to be done about the network goes
out as a return value. The engines (`simcore.process`, ...) own time and packets and call these functions.

The facts are those of ns-2 as found by running it; where a standard says the same, it is cited.
"""
