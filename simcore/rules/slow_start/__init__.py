"""Slow start: how the window opens before anything is known of the path, and when that ends."""
