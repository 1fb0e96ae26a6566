"""The command line: the commands of `workbook`, one in each module of workbook.commands."""

import errno
import sys

import click

from simcore.extras import MissingExtraError
from workbook.commands.assignments import assignments
from workbook.commands.book import book
from workbook.commands.check import check
from workbook.commands.claims import claims
from workbook.commands.course import course
from workbook.commands.diff import diff
from workbook.commands.figures import figures
from workbook.commands.grade import grade
from workbook.commands.new import new
from workbook.commands.read import read
from workbook.commands.refusal import Refusal, reason
from workbook.commands.run import run
from workbook.commands.schema import schema
from workbook.commands.site import site
from workbook.commands.sweep import sweep


class Commands(click.Group):
    """What may happen in any command is told in one line: a full disk behind standard output, not enough memory."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except MissingExtraError as missing:
            raise Refusal(f"workbook {ctx.invoked_subcommand}: {missing}") from None
        except MemoryError:
            raise click.ClickException("not enough memory; what was finished before is kept") from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader has seen enough: click ends silently
                raise
            where = f"{error.filename}: " if error.filename else "standard output: "
            raise click.ClickException(f"{where}{reason(error)}") from None
        return result


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="bottleneck-workbook")
def main() -> None:
    """Studies of TCP at a bottleneck, reproduced to the packet.

    \b
    Start here:
      workbook run --help      simulate a scenario of your own; has an example to paste
      workbook read            what ns-2 traced or somebody captured, with the same tables and figures
      workbook diff A B        where two runs part: scenarios, datasets, traces
      workbook check FILE      a scenario held to ns-2 or to the Linux kernel's TCP
      workbook schema          what a scenario file may hold, for editors
      workbook sweep --help    the same in thousands of variations, on all cores or a cluster
      workbook figures         make every figure and number of every chapter, into figures/
      workbook new             a chapter of your own, from an example that runs
      workbook claims          what the studies say, and whether it came out
      workbook assignments     the lab sheets as students get them
      workbook grade           grade the sheets that were handed in
      workbook course          a course in a box: syllabus, slides, labs, guide, a class to try
      workbook book            all of it as an HTML book
      workbook site            the explorer as a page, with the engine in it

    \b
    Exit status:
      0  everything went well
      1  a notebook failed, a claim that must be exact differs, a sheet can't be graded, or two runs differ
      2  bad input: one line says where, what was given and what is allowed; nothing was written
    130  stopped by Ctrl-C
    """


main.add_command(run)
main.add_command(read)
main.add_command(diff)
main.add_command(check)
main.add_command(schema)
main.add_command(sweep)
main.add_command(figures)
main.add_command(new)
main.add_command(claims)
main.add_command(assignments)
main.add_command(grade)
main.add_command(course)
main.add_command(book)
main.add_command(site)
