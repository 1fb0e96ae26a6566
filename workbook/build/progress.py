"""Shows a build at work: a line per event, and on a terminal a last line that changes with every cell."""

import shutil

import click

from workbook.build.build import Event

ERASE_LINE = "\r\x1b[2K"


class Progress:
    """Prints events; `live` is for terminals, which can take a line back."""

    def __init__(self, *, live: bool) -> None:
        self.live = live
        self.running: dict[str, str] = {}

    def show(self, event: Event) -> None:
        """Print one event: failures on standard error, cells only on a terminal."""
        if event.kind in ("started", "cell"):
            self.running[event.chapter] = f"{event.chapter}: {event.text}"
        else:
            self.running.pop(event.chapter, None)
        self._erase()
        if event.kind == "failed":
            click.echo(f"Error: {event.chapter}: {event.text}", err=True)
        elif event.kind != "cell":
            click.echo(f"{event.chapter}: {event.text}")
        self._draw()

    def _erase(self) -> None:
        if self.live:
            click.echo(ERASE_LINE, nl=False, color=True)  # without color, click takes the code out

    def _draw(self) -> None:
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            click.echo("   ".join(self.running.values())[:width], nl=False)
