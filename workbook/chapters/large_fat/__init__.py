"""The chapter on TCP over large-fat networks: what it needs beside what every chapter has.

study          what the notebook holds
settings       what its parameters say beside scenarios
lab            where its cases are run, with changes
runs           the runs that figures are drawn from
wire           what packets cost on the wire
memory         closed forms of the memory at a bottleneck: slide 4
forbidden      of the forbidden area: slide 6
recovery       of the time to recover from a loss, and of long runs
law            a constant fitted to measured points

experiments    all of the following by name; each measures, makes tables of what it found, and draws them
paths          where a stream can be stopped on its way
framing        what the slides' numbers can be by framing alone
memory_runs    slide 4, drawn in `memory_plots`
clocking       slide 5
area_runs      slide 6, drawn in `area_plots`
phases         slide 7
receiver       slide 8
interface      slides 9 and 14
modifications  slides 10 and 11
long_runs      slides 12, 13, 16 and 17
table          slide 15
recoveries     slides 16 and 18

looks          how formulas, runs and the slides' numbers look
calculator     will it fit? sliders and a button
"""
