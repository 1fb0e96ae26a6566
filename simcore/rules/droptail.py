"""Drop-tail: refuse an arrival when the queue is full."""


def refuses(waiting: int, limit: int) -> bool:
    """Is a packet refused that finds `waiting` packets in front of it, the one in transmission not counted?

    ns-2 compares length + 1 with the limit: a limit of 20 holds 19 waiting and one being sent, a limit of 1
    nothing at all.
    """
    return waiting + 1 >= limit
