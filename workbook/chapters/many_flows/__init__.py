"""The chapter on 2 to 200 flows through one bottleneck.

settings   what the parameters say beside scenarios, and what is looked at
kept       what is kept of its sweep, read as a Dataset
keep       the recipe: what is kept, and what single runs tell beyond a sweep's totals
numbers    what follows for each cell, the buffer that is needed, and laws beside it, with bootstrapped intervals
figures    buffers with both rules, and the windows of few flows and of more
"""
