"""The compiled engine: the same network on an event loop of machine code, a hundred times faster.

It calls the very functions of `simcore.rules` and knows nothing of TCP or queues itself. Its log equals that of the
process model, event for event and bit for bit.

    llvm          is LLVM here, in a version that is known to work?
    layout        the scenario's network as arrays of records
    records       the rules' states as records
    view          those arrays as kernels see them
    tournament    which event is next
    leaves        whose event is at which place of it
    features      what only some networks have: a name each, and how their records say so
    ring          what ports of all kinds share: where packets stand, the log
    interfaces    what only some ports have: a gap, refusals, PAUSE
    transmitter   of a port: it sends one packet after the other
    disciplined   a port whose queue follows a discipline
    ports         queue, transmitter and link
    hosts         senders, receivers and sources: ask the rules, do what they say
    jitter        a sender's random delay before it sends, and its pace
    inside        what rules record of their states
    marks         packets that are marked instead of dropped
    loop          run one event after the other
    dispatch      which function answers a call, of rules and of features: one table
    intrinsics    what the translation itself answers
    values        numbers, records and arrays as LLVM has them
    arithmetic    Python's operators
    definitions   the source of a rule
    copying       those records, copied field by field
    expressions   an expression of a rule, translated
    translation   a rule with all that it calls, translated
    object_code   compile the loop to machine code
    sources       what all that is made from
    machine_code  keep what was compiled between processes, load and call it
    memory        more room when the arrays run low
    engine        run a scenario
"""
