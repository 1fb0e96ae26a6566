"""The lab sheets' own tools: a variant for each student, checks, pictures in a cell, and the course that they make.

student    whose sheet it is
variant    the parameters of one student's sheet, drawn from the student id
check      what a graded cell says of an answer, without giving the key away
show       the chapters' figures and curves in a notebook cell
trials     what a student's own congestion control must pass
internet   lab 7's runs on a Linux kernel

And what happens to a sheet that was handed in:

sheet      its cells
sandbox    where they run, without keys and tests
answers    what came out: plain data
marking    the answers beside the keys
keys       how the keys are simulated
feedback   the page that a student gets back
autograded, gradebook   the same for nbgrader
course     nbgrader's folders: release, grading, feedback
"""

from simcore.extras import require

require("workbook")
require("plots")

from workbook.teaching import check, trials
from workbook.teaching.show import curves, show
from workbook.teaching.variant import Variant, variant_of

__all__ = ["Variant", "check", "curves", "show", "trials", "variant_of"]
