"""Executes notebooks into figures/: those whose inputs changed, side by side."""

from simcore.extras import require

require("workbook")
require("plots")
