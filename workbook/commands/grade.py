"""`workbook grade`: from sheets that were handed in to scores and feedback."""

from pathlib import Path

import click

from workbook.commands.refusal import Refusal, checkout


@click.command(short_help="Grade the lab sheets that were handed in.")
@click.option("--course", metavar="DIR", type=click.Path(path_type=Path), help="Which. [default: build/course]")
@click.option("--force", is_flag=True, help="Also what was graded before.")
def grade(course: Path | None, force: bool) -> None:
    """Grade what lies in DIR/submitted/<student>/<sheet>/<sheet>.ipynb and print the scores.

    Each sheet takes some ten seconds: its cells are run, and the key of this student's variant is computed. The
    feedback is in DIR/feedback/<student>/<sheet>/, a page to look at; the scores are also in DIR/grades.csv.

    \b
    Example:
      workbook grade --course ~/networking-2026

    This runs what students have written: do it where that can do no harm. Exit status 1 if a sheet can't be graded.
    """
    from workbook.teaching.course import CourseError
    from workbook.teaching.course import grade as graded

    places = checkout()
    try:
        scores = graded(course or places.course, again=force)
    except CourseError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(1) from None
    except OSError as error:
        raise Refusal(error) from None
    width = max(len(score.student) for score in scores)
    for score in scores:
        click.echo(f"{score.student:{width}}  {score.sheet:14}  {score.points:4g} of {score.of:g}")
