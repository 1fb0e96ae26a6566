"""The compiled engine: the same network on an event loop that numba compiles, a hundred times faster.

It calls the very functions of `simcore.rules` and knows nothing of TCP or queues itself. Its log equals that of the
process model, event for event and bit for bit.

    layout        the scenario's network as arrays of records
    records       the rules' states as records
    tournament    which event is next
    ports         queue, transmitter and link
    disciplined   a port whose queue follows a discipline
    interfaces    what only some ports have: a gap, refusals, PAUSE
    hosts         senders, receivers and sources: ask the rules, do what they say
    jitter        a sender's random delay before it sends
    ecn           packets that are marked instead of dropped
    loop          run one event after the other
    sources       what all that is made from
    jit           how numba compiles it
    object_code   compile it to machine code
    machine_code  keep what was compiled between processes, load and call it
    memory        more room when the arrays run low
    engine        run a scenario
"""
