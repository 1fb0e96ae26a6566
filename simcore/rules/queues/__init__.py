"""Queue disciplines, and what else a router does with a packet."""
