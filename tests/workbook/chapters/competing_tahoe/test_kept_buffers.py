"""The kept runs of two senders: of the committed parameters, and some of them made again."""

import pytest

from simcore.rounds import simulate_rounds
from tests.workbook.chapters.competing_tahoe.results import CHAPTER, SETTINGS
from workbook.chapters.competing_tahoe import kept_buffers
from workbook.chapters.competing_tahoe.study import Rounds

STUDY = Rounds("params/competing-tahoe.yaml", "compiled")
SWEEP = SETTINGS.sweep


@pytest.mark.parametrize(
    ("reading", "buffer", "seed"),
    [("literal", 6, 0), ("literal", 7, 199), ("literal", 13, 42), ("fitted", 9, 7), ("fitted", 18, 100)],
)
def test_a_kept_run_comes_out_again(reading: str, buffer: int, seed: int) -> None:
    changed = {"mismatch": SWEEP.mismatch, "rounds": SWEEP.rounds, "buffer_segments": buffer, "seed": seed}
    again = simulate_rounds(CHAPTER.rounds_scenario(f"competing-{reading}").model_copy(update=changed))
    kept = STUDY.two.sel(reading=reading, buffer=buffer, seed=seed)
    assert kept.values.tolist() == again["utilisation_percent"].values.tolist()


def test_everything_is_kept_of_the_committed_parameters() -> None:
    """Where it fails, parameters have changed: `python -m workbook.chapters.competing_tahoe.keep` makes them again."""
    kept = kept_buffers.load(kept_buffers.identity(STUDY.competing, SETTINGS))
    assert kept is not None
    assert kept.sizes == {"reading": 2, "buffer": len(SWEEP.buffers), "seed": SETTINGS.seeds.count, "sender": 2}
    assert not kept.isnull().any()


def test_other_parameters_are_other_runs() -> None:
    fewer = SETTINGS.model_copy(update={"seeds": SETTINGS.seeds.model_copy(update={"count": 100})})
    assert kept_buffers.load(kept_buffers.identity(STUDY.competing, fewer)) is None
    slower = {name: each.model_copy(update={"mss_bytes": 512}) for name, each in STUDY.competing.items()}
    assert kept_buffers.load(kept_buffers.identity(slower, SETTINGS)) is None
