"""`workbook grade`: from sheets that were handed in to scores and feedback."""

from contextlib import closing
from pathlib import Path

import click

from workbook.commands.refusal import Refusal, checkout


@click.command(short_help="Grade the lab sheets that were handed in.")
@click.option("--course", metavar="DIR", type=click.Path(path_type=Path), help="Which. [default: build/course]")
@click.option("--force", is_flag=True, help="Also what was graded before.")
@click.option("--limits-only", is_flag=True, help="Where there are no namespaces: see below.")
def grade(course: Path | None, force: bool, limits_only: bool) -> None:
    """Grade what lies in DIR/submitted/<student>/<sheet>/<sheet>.ipynb and print the scores.

    The feedback is in DIR/feedback/<student>/<sheet>/, a page to look at; the scores are also in DIR/grades.csv, and in
    nbgrader's gradebook. What was graded before and not handed in again is left alone. A sheet takes three to fifteen
    seconds on an idle machine, an endless loop twenty more; two of them at a time on two cores.

    \b
    Example:
      workbook grade --course ~/networking-2026

    What students have written runs in a sandbox that has neither keys nor tests: namespaces of Linux, without network,
    with limits on time, memory, processes and disk. Only answers come out. Where the system refuses namespaces, root
    may allow them:

    \b
      sysctl user.max_user_namespaces=1000
      sysctl kernel.apparmor_restrict_unprivileged_userns=0        (Ubuntu 24.04 and later)

    With --limits-only students' code has only the limits: it can read and change what you can. Use it in a virtual
    machine that is thrown away.

    Exit status 1 if a sheet can't be graded; it is named, and the others are graded all the same.
    """
    from workbook.teaching.course import CourseError, scores

    course = course or checkout().course
    try:
        problems = graded(course, force=force, isolated=not limits_only)
        results = scores(course)
    except CourseError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(1) from None
    except OSError as error:
        raise Refusal(error) from None
    width = max((len(score.student) for score in results), default=0)
    for score in results:
        points = "   -" if score.points is None else f"{score.points:4g}"
        click.echo(f"{score.student:{width}}  {score.sheet:14}  {points} of {score.of:g}")
    for problem in problems:
        click.echo(f"Error: {problem}", err=True)
    raise SystemExit(1 if problems else 0)


def graded(course: Path, *, force: bool = False, isolated: bool = True) -> list[str]:
    """Grade with a progress bar; returns what is wrong with the sheets that could not be graded."""
    from workbook.sweep.report import Progress
    from workbook.teaching.course import grade, to_grade

    problems = []
    if sheets := to_grade(course, again=force):
        with closing(Progress(0, len(sheets), "sheets")) as progress:
            for marked in grade(course, sheets, isolated=isolated):
                progress.advance(1)
                if marked.problem:
                    problems.append(f"{marked.student}: {marked.problem}; not graded")
    return problems
