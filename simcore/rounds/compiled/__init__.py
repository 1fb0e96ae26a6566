"""The rules of the round model as machine code, in a loop over the rounds: some hundred times as fast as in SimPy.

    loop        what happens in a round, in the order of `simcore.rounds.process`
    layout      the records that the loop changes, and the rows that it writes
    engine      a run

They are translated by `simcore.compiled`, as the rules of packets are.
"""
