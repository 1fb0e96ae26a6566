"""Ethernet flow control (IEEE 802.3, annex 31B): a queue that runs full stops those who feed it."""


def must_begin(waiting: int, high: int) -> bool:
    """Must the feeders pause, now that so many packets wait? Without marks (`high` is 0) never."""
    return 0 < high <= waiting


def may_end(waiting: int, low: int) -> bool:
    """May they go on?"""
    return waiting <= low
