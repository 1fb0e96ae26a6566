"""What the chapter's notebook calls: run everything, press it into its folder, show it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr
from IPython.display import Image, display
from matplotlib.figure import Figure

from simcore.rounds import RoundsScenario
from workbook.chapter import Chapter
from workbook.provenance import provenance
from workbook.rounds import deeper, deeper_plots, packet_plots
from workbook.rounds.comparison import Packets, compared, packets_of, told
from workbook.rounds.numbers import Numbers, case_numbers
from workbook.rounds.runs import Runs, replicated, story_of
from workbook.rounds.settings import settings_of
from workbook.rounds.timeline import timeline_figure
from workbook.rounds.utilisations import utilisations_figure
from workbook.rounds.windows import run_figure, spread_figure
from workbook.save import save_png
from workbook.statistics import plain, write_json
from workbook.sweep.workers import processes

READINGS = ("literal", "fitted")
WITHOUT_FIGURES = ("thousand", "single-thousand")  # their numbers are in the figure of all utilisations
MAGNIFIED = 100  # rounds
MOST_PROCESSES = 64


class Rounds:
    """The chapter being told; everything shown comes from its runs."""

    def __init__(self, params_file: str, engine: str, output: str) -> None:
        self.chapter = Chapter.load(params_file)
        self.settings = settings_of(self.chapter)
        self.engine = engine
        self.output = Path(output)
        self.runs: dict[str, Runs] = {}
        self.numbers: dict[str, Numbers] = {}
        self.single: xr.Dataset
        self.two: xr.DataArray
        self.packets: Packets
        self.buffers: Numbers = {}
        self.properties: dict[str, dict[str, float]] = {}

    def press(self) -> None:
        """Run every case with every seed and every buffer; write the numbers and figures of the cases."""
        scenarios = {case: self.chapter.rounds_scenario(case) for case in self.chapter.cases}
        competing = {reading: scenarios[f"competing-{reading}"] for reading in READINGS}
        with processes(MOST_PROCESSES) as pool:
            cases = {case: replicated(case, each, self._seeds(each), pool) for case, each in scenarios.items()}
            two = deeper.of_two_senders(competing, self.settings, pool)
            single = deeper.of_one_sender(scenarios["single"], self.settings, pool)
            for case, finished in cases.items():  # drawn while the others are simulated
                self.runs[case] = finished()
                self._write(case, self.runs[case])
            self.two, self.single = two(), single()
        self._save("across", "utilisations", utilisations_figure(self.runs, self.settings))
        self._save("across", "timeline", timeline_figure(self.runs))

    def press_buffers(self) -> None:
        """Write the numbers and figures of utilisation against buffer size, and of why it falls."""
        mismatches = deeper.of_mismatches(self.runs["single"].scenario, self.settings)
        self.buffers = deeper.deeper_numbers(self.single, self.two, mismatches, self.settings.sweep)
        self._write_numbers("buffers", self.buffers)
        sweep = self.settings.sweep
        title = f"Mismatch {sweep.mismatch}, {sweep.rounds} rounds"
        self._save("buffers", "buffers", deeper_plots.buffers_figure(self.two, self.single, title))
        self._save("buffers", "denominator", deeper_plots.denominator_figure(self.single, mismatches))
        self._save("buffers", "cycles", deeper_plots.cycles_figure(self.single))
        self._save("buffers", "counterfactuals", deeper_plots.counterfactuals_figure(self.single))

    def press_packets(self) -> None:
        """Run the two senders in the packet model; write what the two models have in common and what not."""
        settings = self.settings.packets
        self.packets = packets_of(settings.scenario(), settings.seeds, self.settings.sweep.buffers, self.engine)
        self.properties = compared(self.numbers, self.single, self.packets)
        self._write_numbers("packets", plain(self.packets.numbers() | {"compared": self.properties}))
        competing = self.runs["competing-literal"]
        rounds = competing.windows["cwnd"][0] / competing.scenario.mss_bytes
        alone = self.single["utilisation_percent"].sel(change="as_it_is")
        side_by_side = packet_plots.side_by_side_figure(rounds, self.packets.windows, MAGNIFIED)
        self._save("packets", "side-by-side", side_by_side)
        self._save("packets", "kept", packet_plots.kept_figure(self.properties, settings.kept_within))
        self._save("packets", "buffers", packet_plots.buffers_figure(alone, self.packets.by_buffer))

    def show(self, case: str, *stems: str) -> None:
        """Show figures that were pressed, one below the other."""
        for stem in stems:
            display(Image(self.output / case / f"{stem}.png"))

    def utilisations(self) -> pd.DataFrame:
        """What the report prints beside both readings: mean, and least to greatest."""
        rows = {
            (story, f"sender {sender}"): {"report": f"{said:g}"} | self._rated(story, sender)
            for story, printed in self.settings.printed.items()
            for sender, said in enumerate(printed, start=1)
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
        return told(self.properties, self.settings.packets.kept_within, kept)

    def _rated(self, story: str, sender: int) -> dict[str, str]:
        found = {name: self.numbers.get(f"{story}-{name}") for name in READINGS} | {"alone": self.numbers.get(story)}
        spreads = {name: numbers[f"sender{sender}"]["rated_percent"] for name, numbers in found.items() if numbers}
        return {name: f"{each['mean']:.1f} [{each['min']:.1f}, {each['max']:.1f}]" for name, each in spreads.items()}

    def _seeds(self, scenario: RoundsScenario) -> range:
        """All seeds; one where nothing happens by chance."""
        seeds = self.settings.seeds.all
        return seeds[:1] if scenario.reading == "original" else seeds

    def _write(self, case: str, runs: Runs) -> None:
        self.numbers[case] = case_numbers(case, runs, self.settings)
        title = self.chapter.cases[case].title
        captions = {} if story_of(case) in WITHOUT_FIGURES else self._draw(case, runs, title)
        self._write_numbers(case, self.numbers[case])
        written = provenance(runs.shown, self.chapter.chapter, case, title, captions)
        seeds = {"first": runs.seeds[0], "count": len(runs.seeds)}
        write_json(written | {"seeds": seeds}, self.output / case / "provenance.json")

    def _draw(self, case: str, runs: Runs, title: str) -> dict[str, str]:
        """Draw the windows of a case. Returns what each figure shows."""
        drawn = {"run": (run_figure(runs, title), "The windows of each sender in one run.")}
        if len(runs.seeds) > 1:
            drawn["runs"] = (spread_figure(runs, title), "Median and bands of the windows in all runs.")
        if story_of(case) == "competing":
            drawn["first"] = (run_figure(runs, title, MAGNIFIED), "The first rounds, magnified.")
        for stem, (figure, _) in drawn.items():
            self._save(case, stem, figure)
        return {stem: caption for stem, (_, caption) in drawn.items()}

    def _write_numbers(self, folder: str, numbers: Mapping[str, Any]) -> None:
        write_json(numbers, self.output / folder / "statistics.json")

    def _save(self, folder: str, stem: str, figure: Figure) -> None:
        save_png(figure, self.output / folder / f"{stem}.png")
