"""The plan of six weeks: a lecture from one or two chapters, and a lab; the last week has two."""

from typing import Final, NamedTuple

STUDENTS: Final = "students.html"  # of the course's pages the way to what may be seen by all
PUBLIC: Final = ("syllabus.html", "slides", "figures", "release")  # where it leads


class LivingFigure(NamedTuple):
    """A case of a chapter that the lecturer can turn while the class looks on."""

    chapter: str  # as in params/
    case: str
    sliders: tuple[str, ...]


class Week(NamedTuple):
    """A week of the course."""

    number: int
    title: str
    chapters: tuple[str, ...]  # notebooks
    labs: tuple[str, ...]
    living: LivingFigure


WEEKS: Final = (
    Week(
        1,
        "One sender: the window, the pipe and the buffer",
        ("01-one-flow",),
        ("1-window",),
        LivingFigure("one-flow", "tcp-baseline", ("window", "buffer", "delay")),
    ),
    Week(
        2,
        "Losses and their repair: Tahoe, Reno, NewReno, SACK",
        ("08-fall-floyd",),
        ("2-trace",),
        LivingFigure("one-flow", "tcp-buffer-5", ("buffer", "rate", "window")),
    ),
    Week(
        3,
        "Fairness: two senders, then unequal ones",
        ("02-two-tcp", "04-competing-tahoe"),
        ("3-fairness",),
        LivingFigure("two-tcp", "baseline", ("buffer", "rate", "delay")),
    ),
    Week(
        4,
        "Flows that do not listen",
        ("03-tcp-udp",),
        ("4-tcp-udp",),
        LivingFigure("tcp-udp", "baseline", ("rate", "buffer", "udp-rate")),
    ),
    Week(
        5,
        "Simulation as an experiment: seeds, intervals, phase effects, and many flows",
        ("05-background-traffic", "06-many-flows"),
        ("5-experiment",),
        LivingFigure("two-tcp", "delay-100ms", ("delay", "rate", "size")),
    ),
    Week(
        6,
        "Large-fat networks, and the kernel's TCP today",
        ("07-large-fat", "09-twenty-years-later"),
        ("6-controller", "7-internet"),
        LivingFigure("twenty-years-later", "two", ("buffer", "rate", "delay")),
    ),
)
