"""Where a folder's figures came from: enough to make them again."""

from collections.abc import Mapping
from typing import Any

import yaml

from simcore.results.tree import Run


def provenance(
    run: Run | None,
    chapter: str,
    case: str,
    title: str,
    captions: Mapping[str, str],
    alts: Mapping[str, str] = {},
) -> dict[str, Any]:
    """The scenario and the engine behind a run, and what each figure shows, in words.

    Figures of several runs together have none of their own: `run` is None. The versions of packages stand in the
    chapter's `machine.json`: the figures are the same with others.
    """
    words = {"chapter": chapter, "case": case, "title": title, "figures": dict(captions), "alt": dict(alts)}
    if run is None:
        return words
    return words | {
        "scenario": yaml.safe_load(run.attrs["scenario"]),
        "engine": run.attrs["engine"],
    }
