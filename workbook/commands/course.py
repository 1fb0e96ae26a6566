"""`workbook course`: what `make course` calls."""

from pathlib import Path

import click

from workbook.commands.refusal import Refusal, checkout


@click.command(short_help="Make a course in a box.")
@click.option("--course", metavar="DIR", type=click.Path(path_type=Path), help="Where. [default: build/course]")
def course(course: Path | None) -> None:
    """Make a course of six weeks in DIR: DIR/index.html leads to all of it, and nothing in it needs a network.

    A syllabus, slides from the chapters, figures to turn, the lab sheets as students get them, the instructor's guide,
    and a made-up class of ten whose sheets are graded: right, wrong, empty, broken, hostile. DIR is a course as
    nbgrader wants it, and what `workbook assignments` and `workbook grade` work on; what students have handed in there
    stays. It takes a few minutes.

    \b
    Example:
      workbook course --course ~/networking-2026

    docs/teaching.md says how it goes on.
    """
    from workbook.commands.grade import graded
    from workbook.teaching.box.contents import fill
    from workbook.teaching.course import CourseError

    course = course or checkout().course
    try:
        for line in fill(course, graded):
            click.echo(line)
    except (CourseError, OSError) as error:
        raise Refusal(error) from None
