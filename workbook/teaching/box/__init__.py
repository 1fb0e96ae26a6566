"""A course in a box: what a professor needs for six weeks, in one folder of pages that need no network.

weeks      the plan: which chapters and which lab in which week
opening    what a notebook says of itself: its title, its goals
slides     a chapter as slides, from its own words and figures
pages      HTML pages, complete in themselves
example    a class of ten made-up students, to try grading with
contents   all of it
"""
