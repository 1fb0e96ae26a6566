"""A field of a flow is declared in the scenario, and in the record of the rules that read it: nowhere else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.simcore.scenes import mapping, tcp_flow

SIMCORE = Path(__file__).parents[3] / "simcore"
ADDED = {
    "scenario/flows.py": (
        "    start_s: Seconds = Field(",
        '    urgency: int = Field(default=1, description="how urgent it is", examples=[2])\n',
    ),
    "rules/tcp/sender.py": ("    send_jitter_s: float = 0.0", "    urgency: int = 0\n"),
}
ASKED = f"""
from simcore import scenario_from
from simcore.compiled.layout import world_of
from simcore.network.states import tcp_state
from simcore.network.topology import topology_of
from simcore.results.log import TOTALS

scenario = scenario_from({mapping(tcp_flow(urgency=7), tcp_flow())})
world = world_of(scenario, topology_of(scenario), TOTALS)
states = [tcp_state(flow, scenario.profile, 0.0) for flow in scenario.flows]
print([state.urgency for state in states], world.tcp["urgency"].tolist(), world.flows["urgency"].tolist())
"""


def test_a_field_that_is_added_to_flows_and_senders_reaches_both_engines(tmp_path: Path) -> None:
    shutil.copytree(SIMCORE, tmp_path / "simcore", ignore=shutil.ignore_patterns("__pycache__"))
    for name, (line, field) in ADDED.items():
        text = (tmp_path / "simcore" / name).read_text("utf-8")
        assert text.count(line) == 1
        (tmp_path / "simcore" / name).write_text(text.replace(line, field + line), "utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", ASKED], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout == "[7, 1] [7, 1] [7, 1]\n", done.stderr
