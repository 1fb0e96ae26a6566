"""Simulate two senders with every buffer and seed, for half a minute, and keep their utilisations.

python -m workbook.chapters.competing_tahoe.keep
"""

from workbook.chapters.competing_tahoe import kept_buffers
from workbook.chapters.competing_tahoe.study import Rounds


def keep(study: Rounds) -> None:
    """Write them to figures/sweeps/."""
    kept_buffers.write(study.two_simulated(), kept_buffers.identity(study.competing, study.settings))


if __name__ == "__main__":
    keep(Rounds("params/competing-tahoe.yaml", "compiled"))
