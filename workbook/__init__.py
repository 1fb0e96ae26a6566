"""Runs scenarios and notebooks, draws figures, judges claims, and is the command line of it all."""
