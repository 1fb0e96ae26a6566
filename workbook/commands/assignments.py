"""`workbook assignments`: what `make assignments` calls."""

from pathlib import Path

import click

from workbook.commands.refusal import Refusal, checkout


@click.command(short_help="Make the lab sheets as students get them.")
@click.option("--course", metavar="DIR", type=click.Path(path_type=Path), help="Where. [default: build/course]")
def assignments(course: Path | None) -> None:
    """Make the students' versions of the lab sheets: without solutions and hidden tests, in DIR/release.

    DIR is a course as nbgrader wants it. Give one outside of the workbook if you teach: `make clean` deletes build/.
    What students have handed in there, and their grades, stay.

    \b
    Example:
      workbook assignments --course ~/networking-2026

    notebooks/labs/README.md says how it goes on.
    """
    from workbook.teaching.course import CourseError, release

    places = checkout()
    course = course or places.course
    try:
        sheets = release(course)
    except (CourseError, OSError) as error:
        raise Refusal(error) from None
    click.echo(f"{', '.join(sheets)}: in {course / 'release'}")
