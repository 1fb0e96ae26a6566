"""What a run leaves: log, totals, tables, Dataset, provenance, and the invariants that it must obey."""
