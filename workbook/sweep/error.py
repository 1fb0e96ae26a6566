"""What can be wrong with a sweep."""


class SweepError(ValueError):
    """A sweep that can't be run; the message is one line for a person."""
