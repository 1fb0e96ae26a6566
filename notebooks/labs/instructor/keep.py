"""Run lab 7's cases on the kernel, in real time and several side by side, and keep their numbers.

python notebooks/labs/instructor/keep.py

The controller of the student's own is the solution that the sheet has.
"""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from simcore import Scenario, load_mapping, scenario_from
from simcore.scenario.change import changed
from workbook.chapters.twenty_years_later.ensembles import Member
from workbook.chapters.twenty_years_later.keep import keep
from workbook.paths import REPO
from workbook.teaching.internet import KEPT, VARIANTS

SHEET = REPO.labs / "7-internet.ipynb"
LAB = REPO.params / "labs" / "internet.yaml"


def members() -> Iterator[Member]:
    """Every run: both paths, all buffers, who against whom, with every `keep`, from the offsets that it has."""
    lab = load_mapping(LAB)
    kept, buffers = lab["kept"], {each for drawn in lab["given"]["buffers"] for each in drawn}
    pairs = [(pair, kept["offsets_ms"]) for pair in kept["with_all_offsets"]] + [(pair, [0]) for pair in kept["once"]]
    for link, buffer, (pair, offsets) in product(lab["draws"]["bottleneck"], sorted(buffers), pairs):
        for part in lab["given"]["keep"] if "own" in pair else ["nan"]:
            path = changed(lab["base"], {"bottleneck": link | {"buffer_packets": buffer}})
            case = " ".join(map(str, [link["rate_mbps"], buffer, part, *pair]))
            for offset_ms in offsets:
                yield Member(case, offset_ms, scenario(path, case, pair, part, offset_ms), "kernel")


def scenario(path: dict[str, Any], case: str, pair: list[str], part: Any, offset_ms: int) -> Scenario:
    """Both senders over the path, or one alone."""
    variants = [_variant(who, part) for who in pair]
    flows = [flow | {"variant": variant} for flow, variant in zip(path["flows"], variants, strict=True) if variant]
    flows[-1] = flows[-1] | {"start_s": flows[-1]["start_s"] + offset_ms / 1e3}
    return scenario_from(path | {"name": case, "flows": flows})


def _variant(who: str, part: Any) -> str:
    """The scenario's name of a sender; a controller of one's own has one for each KEEP. Nobody has none."""
    return f"own{100 * part:.0f}" if who == "own" else VARIANTS.get(who, "")


def register_own() -> None:
    """Run the sheet's own cells, with each KEEP."""
    cells = json.loads(SHEET.read_text("utf-8"))["cells"]
    source = {cell["metadata"].get("nbgrader", {}).get("grade_id"): "".join(cell["source"]) for cell in cells}
    imports = [line for line in source["tools"].splitlines() if line.startswith(("from ", "import "))]
    for part in load_mapping(LAB)["given"]["keep"]:
        names: dict[str, Any] = {"__name__": "__main__", "KEEP": part}
        exec("\n".join([*imports, source["own"]]), names)
        exec(source["register-own"].replace('"own"', f'"{_variant("own", part)}"'), names)


if __name__ == "__main__":
    register_own()
    keep(list(members()), KEPT)
