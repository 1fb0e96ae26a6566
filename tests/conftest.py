"""Hypothesis is deterministic here: the same examples in every run, and no example fails for being slow."""

from hypothesis import settings

settings.register_profile("workbook", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("workbook")
