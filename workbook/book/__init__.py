"""The workbook as a book: the executed chapters, the labs and the scorecard as HTML that needs no network."""

from simcore.extras import require

require("workbook")
require("plots")
