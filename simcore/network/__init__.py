"""What every engine builds a scenario's network from: topology, random streams, states at t = 0, ns-2's order."""
