"""Chapters: base scenario, cases and study, and what single chapters need beyond that."""
