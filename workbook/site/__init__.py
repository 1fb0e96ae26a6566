"""The workbook as a folder of pages in which the engine itself runs: no installation, no server, no network.

controls   what a page may set: each control's positions
sweeps     which controls are turned together while the grid is built
refusals   what the controls can say and no scenario may
grid       a world for each position, and what of it depends on what
words      what a page says and in which colours
stories    params/stories: a question, a bet, the run, what came of it
formulas   what they compute of their runs
tales      stories as a page takes them
page       one HTML file with all of it; its script lies in js/
door       the front page, and the ways between the pages
living     a figure of a chapter with some sliders
figures    those of chapters whose own runs are too large for a page
"""

from simcore.extras import require

require("workbook")
require("compiled")
