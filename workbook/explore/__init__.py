"""Explore: a panel of sliders, and beside it the run that they ask for, drawn anew while they move.

kinds         the kinds of flows that the panel offers
setting       a scenario as a mapping, and how each control reads and changes it
further       the second level of the panel: what fewer people turn
controls      all controls by their names
titles        what a run is called
catalogue     the scenarios of the chapters, by their titles
engines       runs, kept while one goes back and forth, by the engine that answers at once
asking        a run of the Linux kernel's, in the background
overlay       its curves over the model's
thinning      no more points than a screen can show
charts        from a Dataset to lines and marks, in the part of the run that is looked at
looks         the flows' colours
numbers       the few numbers of a run that stand beside the charts
explanations  why cwnd changed: the rule, and where it is written
futures       one packet lost or spared
animation     a moment of a run, packet by packet
picture       all of this for the widget
widget        the charts in the browser; its script and looks lie in js/
panel         the sliders
address       a setting as the words of a link
explorer      all together: what the notebook shows
"""

from simcore.extras import require

require("workbook")

from workbook.explore.explorer import Explorer

__all__ = ["Explorer"]
