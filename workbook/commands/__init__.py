"""One file per command. What a command needs is imported when it runs: help should not wait for xarray."""
