"""What the chapter's notebook calls: run the cases with all their seeds, press them into its folder, show them."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd
import xarray as xr
from IPython.display import IFrame, Image, display
from matplotlib.figure import Figure

from simcore import Scenario, simulate
from simcore.metrics import Replications, until_precise
from workbook.background import phase, phase_plots
from workbook.background.averages import averages_figure, cases_figure
from workbook.background.looks import names
from workbook.background.numbers import Numbers, bin_numbers, replicated_numbers
from workbook.background.player import player_page
from workbook.background.runs import Runs, replicated
from workbook.background.scenes import stills_figure
from workbook.background.settings import settings_of
from workbook.background.streams import sharing_figure, stream_figure, superposed_figure
from workbook.background.topology import topology_figure
from workbook.chapter import Chapter
from workbook.ledger.beside import beside, printed
from workbook.paths import REPO
from workbook.provenance import provenance
from workbook.save import save, save_png
from workbook.statistics import plain, write_json

ACROSS, PHASE = "across", "phase"  # folders beside the cases': all of them together, and the sweeps
OF_ARRIVALS = (
    "packet_flow",
    "packet_seq",
    "packet_bytes",
    "packet_arrived_s",
    "flow_kind",
    "flow_start_s",
    "flow_stop_s",
)


class Background:
    """The chapter being told; everything shown comes from its runs and from the kept sweeps."""

    def __init__(self, params_file: str, engine: str, output: str) -> None:
        self.chapter = Chapter.load(REPO.root / params_file)
        self.settings = settings_of(self.chapter)
        self.engine = engine
        self.output = REPO.root / output
        self.runs: dict[str, Runs] = {}
        self.numbers: dict[str, Numbers] = {}
        self.phase: Numbers = {}

    def press(self) -> None:
        """Run every case with every seed; trace the ten runs of some; write numbers, figures and provenance."""
        for case in self.chapter.cases:
            traced = self._traced(case)
            self.numbers[case] = self._numbers(case, traced)
            captions = self._draw(case, traced) if traced else {}
            self._write(case, traced[0] if traced else self._run(case), captions)
        titles = {case: self.chapter.cases[case].title for case in self.chapter.cases}
        thirty = {case: found["thirty"] for case, found in self.numbers.items()}
        save(cases_figure(thirty, titles, self.settings.printed), self.output / ACROSS / "averages")

    def press_phase(self) -> None:
        """Read the kept sweeps; write their numbers and figures."""
        sweeps = {name: phase.load(name) for name in phase.SWEEPS}
        self.phase = plain(phase.phase_numbers(sweeps))
        folder = self.output / PHASE
        write_json(self.phase, folder / "statistics.json")
        save_png(phase_plots.line_figure(sweeps["line"], self.settings.printed), folder / "line.png")
        save_png(phase_plots.map_figure(sweeps["map"], sweeps["unequal"]), folder / "map.png")
        save(phase_plots.delay_figure(sweeps), folder / "delay")
        save(phase_plots.jitter_figure(sweeps["jitter"]), folder / "jitter")

    def show(self, case: str, *stems: str) -> None:
        """Show figures that were pressed, one below the other."""
        for stem in stems:
            display(Image(self.output / case / f"{stem}.png"))

    def show_player(self) -> None:
        """Embed the player, whole, so that it also plays where the executed notebook is but the page isn't."""
        page = (self.output / self.settings.player.case / "simulation.html").read_text("utf-8")
        display(IFrame("about:blank", 940, 700, [f'srcdoc="{escape(page)}"']))

    def averages(self, seeds: str) -> pd.DataFrame:
        """Mean, spread and both intervals of every stream in every case, in Mb/s."""
        rows = {
            (case, name): _row(numbers[seeds][f"flow{flow}"]["mbps"])
            for case, numbers in self.numbers.items()
            for flow, name in enumerate(names(self.chapter.scenario(case)), start=1)
        }
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index = pd.MultiIndex.from_tuples(rows, names=["case", "stream"])
        return table

    def bins(self) -> pd.DataFrame:
        """The extremes that the paper reads off its graphs, for each length of the bins; means over ten runs."""
        rows = {}
        for case in self.settings.traced:
            for bin_s, found in zip(self.settings.bins_s, self.numbers[case]["bins"].values(), strict=True):
                read = {"Reno alone, max": found["flow1"]["alone_max_kbps"], "Tahoe max": found["flow2"]["max_kbps"]}
                read |= {"CBR min": found["flow3"]["min_kbps"], "CBR max": found["flow3"]["max_kbps"]}
                read |= {"VBR max": found["flow4"]["max_kbps"]}
                rows[case, f"{bin_s:g} s"] = {name: round(value["mean"]) for name, value in read.items()}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["case", "bin; kb/s"])

    def until_precise(self, case: str, flow: int) -> Replications:
        """Replications of one stream's bandwidth, one seed after the other, until the mean is known well enough."""
        runs = self.runs[case]
        found = dict(zip(runs.seeds, runs.mbps[:, flow - 1].tolist(), strict=True))
        return until_precise(found.__getitem__, self.settings.half_width_mbps, self.settings.seeds["thirty"])

    def said(self, case: str) -> pd.DataFrame:
        """The numbers that the paper prints, beside ours of one case, with the verdict."""
        return beside(REPO.claims / "background-traffic.yaml", self.chapter.chapter, case, self.numbers)

    def printed(self) -> dict[str, str]:
        """The numbers that the paper prints, by their claims."""
        return printed(REPO.claims / "background-traffic.yaml")

    def _traced(self, case: str) -> list[xr.Dataset]:
        if case not in self.settings.traced:
            return []
        runs = (self._run(case, seed=seed) for seed in self.settings.seeds["ten"])
        return [run if i == 0 else run[list(OF_ARRIVALS)] for i, run in enumerate(runs)]  # ten whole ones fill 0.6 GB

    def _run(self, case: str, **changes: Any) -> xr.Dataset:
        return simulate(self.chapter.scenario(case, **changes), self.engine)

    def _numbers(self, case: str, traced: Sequence[xr.Dataset]) -> Numbers:
        scenario, seeds = self.chapter.scenario(case), self.settings.seeds
        everything = sorted(set().union(*seeds.values()))
        runs = self.runs[case] = replicated(scenario, everything, self.engine)
        found: Numbers = {name: replicated_numbers(runs.chosen(chosen)) for name, chosen in seeds.items()}
        if traced:
            found["bins"] = bin_numbers(traced, self.settings.bins_s)
        return plain(found | {"setup": _setup(scenario)})

    def _write(self, case: str, run: xr.Dataset, captions: Mapping[str, str]) -> None:
        folder, title = self.output / case, self.chapter.cases[case].title
        write_json(self.numbers[case], folder / "statistics.json")
        written = provenance(run, self.chapter.chapter, case, title, captions)
        write_json(written | {"seeds": self.settings.seeds}, folder / "provenance.json")

    def _draw(self, case: str, traced: Sequence[xr.Dataset]) -> dict[str, str]:
        """Draw a case of which the ten runs are traced. Returns what each figure shows."""
        scenario, title = self.chapter.scenario(case), f"{self.chapter.title}: {self.chapter.cases[case].title}"
        first = f"{title}; seed {self.settings.seeds['ten'][0]}"
        run, folder, fine = traced[0], self.output / case, self.settings.superposed_bin_s
        drawn: dict[str, tuple[Figure, str]] = {
            "averages": (
                averages_figure(self.numbers[case]["ten"], scenario, self.settings.printed, title),
                "Mean bandwidth of each stream with intervals.",
            ),
            "topology": (topology_figure(scenario, self.settings.nodes, title), "The network, from the scenario."),
            "sharing-4": (sharing_figure(run, scenario, [1, 2, 3, 4], fine, first), "All four streams, stacked."),
            "sharing-tcp": (sharing_figure(run, scenario, [1, 2], fine, first), "The two TCP streams, stacked."),
            "superposed": (superposed_figure(traced, scenario, fine, title), "The TCP streams of all ten runs."),
        }
        for flow, stem in enumerate(("reno", "tahoe", "cbr", "vbr"), start=1):
            figure = stream_figure(run, scenario, flow, self.settings.bin_s, first)
            drawn[stem] = (figure, "Bandwidth of one stream in bins, while the others come and go.")
        for stem, (figure, _) in drawn.items():
            save_png(figure, folder / f"{stem}.png")
        return {stem: caption for stem, (_, caption) in drawn.items()} | self._draw_player(case, run, scenario, first)

    def _draw_player(self, case: str, run: xr.Dataset, scenario: Scenario, title: str) -> dict[str, str]:
        if case != self.settings.player.case:
            return {}
        nodes, scenes, folder = self.settings.nodes, self.settings.player.scenes, self.output / case
        save_png(stills_figure(run, scenario, nodes, scenes, title), folder / "simulation.png")
        page = player_page(run, scenario, nodes, scenes, title)
        (folder / "simulation.html").write_text(page, "utf-8")
        return {"simulation": "Two moments of what simulation.html plays: packets on links, the buffer, drops."}


def _setup(scenario: Scenario) -> Numbers:
    """What the scenario says, as names: `setup.bottleneck.delay_ms`, `setup.flow1.access.delay_ms`, ..."""
    mapping = scenario.to_mapping()
    flows = {f"flow{i}": flow for i, flow in enumerate(mapping["flows"], start=1)}
    return {"bottleneck": mapping["bottleneck"], "min_rto_s": scenario.profile.min_rto_s, **flows}


def _row(found: Mapping[str, Any]) -> dict[str, str | int]:
    row: dict[str, str | int] = {
        "n": found["n"],
        "mean": f"{found['mean']:.4f}",
        "variance": f"{found['variance']:.2g}",
    }
    for name, heading in (("student", "Student 95 %"), ("normal", "normal 95 %")):
        ends = found.get(name)
        row[heading] = f"{ends['low']:.4f} to {ends['high']:.4f}" if ends else "all runs identical"
    return row
