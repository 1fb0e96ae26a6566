"""Congestion control: how much may be under way."""
