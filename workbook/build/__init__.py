"""Executes notebooks into figures/: those whose inputs changed, side by side."""
