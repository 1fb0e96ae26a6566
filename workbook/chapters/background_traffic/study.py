"""The chapter at work: cases replicated with all their seeds, single runs traced, and the kept sweeps."""

from functools import cached_property
from html import escape

import pandas as pd
import xarray as xr
from IPython.display import IFrame

from simcore import Scenario, simulate
from simcore.metrics import Replications, until_precise
from simcore.results.tree import dataset_of, tree_of
from workbook.chapters.background_traffic import phase
from workbook.chapters.background_traffic.looks import names
from workbook.chapters.background_traffic.numbers import Numbers, bin_numbers, replicated_numbers, replications
from workbook.chapters.background_traffic.player import player_page
from workbook.chapters.background_traffic.rules import rule_numbers
from workbook.chapters.background_traffic.runs import counted, tidy, with_mbps
from workbook.chapters.background_traffic.settings import settings_of
from workbook.chapters.runs import kept
from workbook.chapters.statistics import plain
from workbook.chapters.study import Study
from workbook.ledger.book import printed
from workbook.paths import REPO

PHASE = "phase"  # the folder of the sweeps
OF_ARRIVALS = (
    "packet_flow",
    "packet_seq",
    "packet_bytes",
    "packet_arrived_s",
    "flow_kind",
    "flow_start_s",
    "flow_stop_s",
)


class Background(Study):
    """What the notebook holds. A node of `runs` has every seed of a case; `traced` has ten single runs of some."""

    def __init__(self, params_file: str, engine: str, output: str | None = None) -> None:
        super().__init__(params_file, engine, output)
        self.settings = settings_of(self.chapter)

    @cached_property
    def runs(self) -> xr.DataTree:
        """A node a case, along `seed` and `flow`: what was counted, kept in build/, and the bandwidths from it."""
        seeds = sorted(set().union(*self.settings.seeds.values()))
        scenarios = {case: self.chapter.scenario(case) for case in self.chapter.cases}
        counts = kept(
            f"{self.chapter.chapter}-replications-{self.engine}",
            [f"{scenario.to_yaml()}{seeds}" for scenario in scenarios.values()],
            lambda: xr.DataTree.from_dict(
                {case: counted(each, seeds, self.engine) for case, each in scenarios.items()}
            ),
        )
        return xr.DataTree.from_dict({case: with_mbps(node.to_dataset()) for case, node in counts.children.items()})

    @cached_property
    def traced(self) -> xr.DataTree:
        """The ten runs of some cases, `traced["fitted/1"]`: the first whole, of the others only the arrivals."""
        seeds = self.settings.seeds["ten"]
        runs = {}
        for case in self.settings.traced:
            for seed in seeds:
                run = self.simulated(case, seed=seed)
                runs[f"{case}/{seed}"] = tree_of(
                    run if seed == seeds[0] else run[list(OF_ARRIVALS)]
                )  # whole ones: 0.6 GB
        return xr.DataTree.from_dict(runs)

    @cached_property
    def sweeps(self) -> dict[str, xr.Dataset]:
        """The sweeps of the phase effect, as they are kept in figures/sweeps/."""
        return {name: phase.load(name) for name in phase.SWEEPS}

    @cached_property
    def statistics(self) -> dict[str, Numbers]:
        """Per case, and per set of seeds, what came out; of traced cases the extremes in bins too."""
        return {case: plain(self._numbers(case)) for case in self.chapter.cases}

    @cached_property
    def phase(self) -> Numbers:
        """The named numbers of the sweeps."""
        return plain(phase.phase_numbers(self.sweeps))

    def simulated(self, case: str, **changes: object) -> xr.Dataset:
        """One run of a case, with something else at its top level, as `seed`."""
        return simulate(self.chapter.scenario(case, **changes), self.engine)

    def apart(self, tahoe_ms: float) -> xr.Dataset:
        """One run of Reno and Tahoe alone, with this delay of Tahoe's access link."""
        mapping = self.chapter.scenario("no-background").to_mapping()
        mapping["flows"][1]["access"]["delay_ms"] = tahoe_ms
        return self.simulated("no-background", flows=mapping["flows"])

    def table(self, seeds: str) -> pd.DataFrame:
        """Every run's bandwidth of every stream, a row each: case, seed, stream, mbps."""
        return tidy(self.runs, self.settings.seeds[seeds])

    def ten(self, case: str) -> list[xr.DataTree]:
        """The ten traced runs of a case."""
        return list(self.traced.children[case].children.values())

    def first(self, case: str) -> str:
        """What stands below the title of a figure of the first of the ten runs."""
        return f"{self.title(case)}; seed {self.settings.seeds['ten'][0]}"

    def averages(self, seeds: str) -> pd.DataFrame:
        """Mean, spread and both intervals of every stream in every case, in Mb/s."""
        rows = {
            (case, name): _row(numbers[seeds][f"flow{flow}"]["mbps"])
            for case, numbers in self.statistics.items()
            for flow, name in enumerate(names(self.chapter.scenario(case)), start=1)
        }
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index = pd.MultiIndex.from_tuples(rows, names=["case", "stream"])
        return table

    def bins(self) -> pd.DataFrame:
        """The extremes that the paper reads off its graphs, for each length of the bins; means over ten runs."""
        rows = {}
        for case in self.settings.traced:
            for bin_s, extremes in zip(self.settings.bins_s, self.statistics[case]["bins"].values(), strict=True):
                read = {"Reno alone, max": extremes["flow1"]["alone_max_kbps"]}
                read |= {"Tahoe max": extremes["flow2"]["max_kbps"]}
                read |= {"CBR min": extremes["flow3"]["min_kbps"], "CBR max": extremes["flow3"]["max_kbps"]}
                read |= {"VBR max": extremes["flow4"]["max_kbps"]}
                rows[case, f"{bin_s:g} s"] = {name: round(value["mean"]) for name, value in read.items()}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["case", "bin; kb/s"])

    def until_precise(self, case: str, flow: int) -> Replications:
        """Replications of one stream's bandwidth, one seed after the other, until the mean is known well enough."""
        seeds = self.settings.seeds["thirty"]
        mbps = self.runs.children[case].to_dataset()["mbps"].sel(flow=flow)
        every = replications(self.runs.children[case].to_dataset(), mbps.values)
        by_seed = dict(zip(every.seeds, every.values, strict=True))
        return until_precise(by_seed.__getitem__, self.settings.half_width_mbps, seeds)

    def printed(self) -> dict[str, str]:
        """The numbers that the paper prints, by their claims."""
        return printed(REPO.claims / f"{self.chapter.chapter}.yaml")

    def player(self, case: str) -> IFrame:
        """The page that plays scenes of a case's first run: written beside its figures, and embedded whole."""
        run, player = dataset_of(self.ten(case)[0]), self.settings.player
        page = player_page(run, self.chapter.scenario(case), self.settings.nodes, player.scenes, self.first(case))
        path = self.output / case / "simulation.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, "utf-8")
        return IFrame("about:blank", 940, 700, [f'srcdoc="{escape(page)}"'])

    def save_cases(self) -> None:
        """Write every case's numbers and what it was made from, and the numbers of the sweeps."""
        for case in self.chapter.cases:
            self.write(case, self.statistics[case])
            self._words.setdefault(case, {})
            self._write_provenance(case)
        self.write(PHASE, self.phase)

    def _numbers(self, case: str) -> Numbers:
        runs = self.runs.children[case].to_dataset()
        seeds = self.settings.seeds
        numbers: Numbers = {name: replicated_numbers(runs.sel(seed=chosen)) for name, chosen in seeds.items()}
        if case in self.settings.traced:
            first = dataset_of(self.ten(case)[0])
            numbers["bins"] = bin_numbers(self.ten(case), self.settings.bins_s)
            numbers["rules"] = {f"flow{flow}": rule_numbers(first, flow) for flow in (1, 2)}
        return numbers | {"setup": _setup(self.chapter.scenario(case))}


def _setup(scenario: Scenario) -> Numbers:
    """What the scenario says, as names: `setup.bottleneck.delay_ms`, `setup.flow1.access.delay_ms`, ..."""
    mapping = scenario.to_mapping()
    flows = {f"flow{i}": flow for i, flow in enumerate(mapping["flows"], start=1)}
    return {"bottleneck": mapping["bottleneck"], "min_rto_s": scenario.profile.min_rto_s, **flows}


def _row(numbers: Numbers) -> dict[str, str | int]:
    row: dict[str, str | int] = {
        "n": numbers["n"],
        "mean": f"{numbers['mean']:.4f}",
        "variance": f"{numbers['variance']:.2g}",
    }
    for name, heading in (("student", "Student 95 %"), ("normal", "normal 95 %")):
        ends = numbers.get(name)
        row[heading] = f"{ends['low']:.4f} to {ends['high']:.4f}" if ends else "all runs identical"
    return row
