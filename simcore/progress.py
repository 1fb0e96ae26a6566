"""A bar for runs that take long: in notebooks a widget, elsewhere a line on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

Progress = Callable[[float], None]  # told now and then how many seconds are simulated
DELAY_S: Final = 1.0  # what is over sooner needs no bar
FORM: Final = "{desc} {bar} {n:.3g} of {total:.3g} s, {elapsed} so far"


@contextmanager
def shown(progress: Progress | bool | None, total_s: float, name: str) -> Iterator[Progress | None]:
    """What an engine is to tell its progress to: a bar of its own for True, or what was given."""
    if not isinstance(progress, bool):
        yield progress
    elif not progress:
        yield None
    else:
        from tqdm.auto import tqdm  # asks which kind of notebook this is, which takes a while

        with tqdm(total=total_s, desc=name, bar_format=FORM, delay=DELAY_S, leave=False) as bar:
            yield lambda now: bar.update(now - bar.n) and None
