"""How many examples hypothesis makes up: the same ones in every run, and none fails for being slow."""

from typing import Final

from hypothesis import settings

MANY: Final = 50
FEWER: Final = 4  # a quarter of them in `make test`

settings.register_profile("all", derandomize=True, deadline=None, max_examples=MANY)
settings.register_profile("short", settings.get_profile("all"), max_examples=MANY // FEWER)


def use_examples(*, short: bool) -> None:
    """Before any test is imported: all examples, or a quarter of them."""
    settings.load_profile("short" if short else "all")


def examples(most: int) -> settings:
    """So many examples, or a quarter of them."""
    return settings(max_examples=most * settings().max_examples // MANY)
