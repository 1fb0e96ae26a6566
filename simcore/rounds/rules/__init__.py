"""The rules of the round model: plain functions over state objects, free of clock, simulator and randomness.

They are those of the teaching simulator that the study extended, found by running it. Bytes are whole numbers and
every division is an integer division, as there.
"""
