"""Make the golden traces of every scenario here, a trace for each link of the row, by running ns-2.35 (`ns`).

    python -m tests.golden.rows.make

The script for ns-2 and the format are those of `queues`: the events of one link's data direction a file.
"""

from pathlib import Path

import yaml

from tests.golden.queues.make import packed, traced_lines

HERE = Path(__file__).parent

if __name__ == "__main__":
    for path in sorted(HERE.glob("*.yaml")):
        scenario = yaml.safe_load(path.read_text())
        lines = traced_lines(scenario)
        for k in range(len(scenario["onward"]) + 1):
            here = [line for line in lines if line[2:4] == [str(k), str(k + 1)]]
            path.with_name(f"{path.stem}.{k}.trace.xz").write_bytes(packed(here))
