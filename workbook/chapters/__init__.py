"""Chapters: base scenario, cases and study, and what single chapters need beyond that."""

from simcore.extras import require

require("workbook")
require("plots")
require("sweep")
