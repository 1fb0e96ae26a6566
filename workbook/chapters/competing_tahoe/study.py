"""The chapter at work: every case with all its seeds, every buffer, and the same two senders in packets."""

from functools import cached_property

import pandas as pd
import xarray as xr

from simcore.rounds import RoundsScenario
from workbook.chapters.competing_tahoe import deeper, deeper_plots, kept_buffers
from workbook.chapters.competing_tahoe.comparison import Packets, compared, packets_of, said
from workbook.chapters.competing_tahoe.numbers import Numbers, case_numbers, rated_percent
from workbook.chapters.competing_tahoe.runs import Runs, replicated, story_of
from workbook.chapters.competing_tahoe.settings import settings_of
from workbook.chapters.competing_tahoe.track import Array
from workbook.chapters.statistics import plain
from workbook.chapters.study import Study

READINGS = ("literal", "fitted")
MAGNIFIED = 100  # rounds
BUFFERS, PACKETS = "buffers", "packets"  # folders beside the cases'


class Rounds(Study):
    """What the notebook holds. `runs` has one run of each case; `replications` has all seeds."""

    def __init__(self, params_file: str, engine: str, output: str | None = None) -> None:
        super().__init__(params_file, engine, output)
        self.settings = settings_of(self.chapter)

    @cached_property
    def replications(self) -> dict[str, Runs]:
        """Every case with every seed; with one where nothing happens by chance."""
        scenarios = {case: self.chapter.rounds_scenario(case) for case in self.chapter.cases}
        seeds = self.settings.seeds.all
        return {
            case: replicated(each, seeds[:1] if each.reading == "original" else seeds)
            for case, each in scenarios.items()
        }

    @property
    def competing(self) -> dict[str, RoundsScenario]:
        """The two senders, by reading."""
        return {reading: self.chapter.rounds_scenario(f"competing-{reading}") for reading in READINGS}

    @cached_property
    def two(self) -> xr.DataArray:
        """Both senders' utilisation with every buffer and seed, in both readings; kept, while no parameter changes."""
        kept = kept_buffers.load(kept_buffers.identity(self.competing, self.settings))
        return self.two_simulated() if kept is None else kept

    def two_simulated(self) -> xr.DataArray:
        """The same, simulated."""
        return deeper.of_two_senders(self.competing, self.settings)

    @cached_property
    def single(self) -> xr.Dataset:
        """One sender with every buffer, under the original's rules and with some of them changed."""
        return deeper.of_one_sender(self.chapter.rounds_scenario("single"), self.settings)

    @cached_property
    def mismatches(self) -> dict[int, int]:
        """Bytes that one sender gets through, by mismatch."""
        return deeper.of_mismatches(self.chapter.rounds_scenario("single"), self.settings)

    @cached_property
    def packets(self) -> Packets:
        """The two senders in the packet model."""
        settings = self.settings.packets
        return packets_of(settings.scenario(), settings.seeds, self.settings.sweep.buffers, self.engine)

    @cached_property
    def statistics(self) -> dict[str, Numbers]:
        """Per case every number as a distribution over the seeds."""
        return {case: case_numbers(case, runs, self.settings) for case, runs in self.replications.items()}

    @cached_property
    def buffers(self) -> Numbers:
        """Utilisation against the size of the buffer, and why it falls."""
        return deeper.deeper_numbers(self.single, self.two, self.mismatches, self.settings.sweep)

    @cached_property
    def properties(self) -> dict[str, dict[str, float]]:
        """By property what it is in rounds, and in packets."""
        return compared(self.statistics, self.single, self.packets)

    def first_windows(self) -> Array:
        """The congestion windows of one run in segments, a row a sender: what is set beside the packets."""
        run = self.replications["competing-literal"]
        windows: Array = run.windows["cwnd"][0] / run.scenario.mss_bytes
        return windows

    def rated(self) -> pd.DataFrame:
        """A row for each story, reading, sender and seed: utilisation as the report must have counted it."""
        parts = [
            pd.DataFrame({"story": story_of(case), "reading": runs.scenario.reading, "sender": int(sender[-1]),
                          "seed": list(runs.seeds), "utilisation_percent": values})
            for case, runs in self.replications.items()
            for sender, values in rated_percent(case, runs).items()
        ]  # fmt: skip
        return pd.concat(parts, ignore_index=True)

    def utilisations(self) -> pd.DataFrame:
        """What the report prints beside both readings: mean, and least to greatest."""
        rows = {
            (story, f"sender {sender}"): {"report": f"{number:g}"} | self._rated(story, sender)
            for story, printed in self.settings.printed.items()
            for sender, number in enumerate(printed, start=1)
        }
        return pd.DataFrame.from_dict(rows, orient="index").fillna("").rename_axis(["case", "utilisation in %"])

    def counterfactuals(self) -> pd.DataFrame:
        """One sender with the smallest and the largest buffer, under each change of the rules."""
        ends = (self.settings.sweep.buffers[0], self.settings.sweep.buffers[-1])
        columns = {"utilisation_percent": "utilisation in %", "segments_per_round": "segments a round"}
        rows = {
            words: {
                f"{column}, buffer of {size}": round(self.buffers["single"][change][f"buffer_{size}"][name], 2)
                for name, column in columns.items()
                for size in ends
            }
            for change, (words, _) in deeper_plots.CHANGED.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")

    def compared(self, *, kept: bool) -> str:
        """The properties that both models share, or those that they don't, with their numbers."""
        return said(self.properties, self.settings.packets.kept_within, kept)

    def save_cases(self) -> None:
        """Write every case's numbers and what it was made from, and those of the buffers and of the packets."""
        for case in self.chapter.cases:
            self.write(case, self.statistics[case])
            self._words.setdefault(case, {})
            self._write_provenance(case)
        self.write(BUFFERS, self.buffers)
        self.write(PACKETS, plain(self.packets.numbers() | {"compared": self.properties}))

    def _rated(self, story: str, sender: int) -> dict[str, str]:
        cases = {name: self.statistics.get(f"{story}-{name}") for name in READINGS}
        cases["alone"] = self.statistics.get(story)
        spreads = {name: numbers[f"sender{sender}"]["rated_percent"] for name, numbers in cases.items() if numbers}
        return {name: f"{each['mean']:.1f} [{each['min']:.1f}, {each['max']:.1f}]" for name, each in spreads.items()}
