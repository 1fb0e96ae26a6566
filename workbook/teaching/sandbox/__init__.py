"""Where students' code runs: a process that sees neither keys nor tests, and that nothing outlives.

isolation   namespaces, a file system of its own, limits
player      runs the cells of one sheet, and tells its answers as plain data
plain       what plain data are, and how large they may be
server      a warm process that forks a player for each sheet
channel     how the grader talks with a player: lines of JSON, bounded in size and time

Only `channel` and `plain` are for the grader; what the others import a student could change.
"""
