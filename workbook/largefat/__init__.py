"""The chapter on TCP over large-fat networks.

wire         what packets cost on the wire
memory       the memory at a bottleneck: slide 4
forbidden    the forbidden area: slide 6
recovery     the time to recover from a loss: slide 18
"""
