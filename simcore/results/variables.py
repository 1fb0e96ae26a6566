"""Everything that a finished run has to tell, by the names of its Dataset."""

import numpy as np

from simcore.results.log import Outcome, Recording
from simcore.results.tables import Table, tables, variable
from simcore.results.totals import MEANINGS
from simcore.scenario.flows import AnyFlow, TcpFlow
from simcore.scenario.scenario import Scenario


def variables(scenario: Scenario, outcome: Outcome, recording: Recording) -> Table:
    """What was recorded (`simcore.results.tables`), what the flows are, and their totals."""
    totals = {name: variable("flow", outcome.totals[name], *meaning) for name, meaning in MEANINGS.items()}
    return {**tables(outcome.log, recording), **_flows(scenario), **totals}


def _flows(scenario: Scenario) -> Table:
    kind = [flow.kind for flow in scenario.flows]
    variant = [flow.variant if isinstance(flow, TcpFlow) else flow.source for flow in scenario.flows]
    names = [f"{_title(flow)} {i}" for i, flow in enumerate(scenario.flows, start=1)]
    starts, stops = [flow.start_s for flow in scenario.flows], [flow.stop_s for flow in scenario.flows]
    return {
        "flow": variable("flow", np.arange(1, len(names) + 1), "flow", "1"),
        "flow_kind": variable("flow", np.array(kind), "transport protocol", "1"),
        "flow_variant": variable("flow", np.array(variant), "TCP variant or UDP source", "1"),
        "flow_name": variable("flow", np.array(names), "name of the flow", "1"),
        "flow_start_s": variable("flow", np.array(starts), "time the source starts", "s"),
        "flow_stop_s": variable("flow", np.array(stops), "time the source stops", "s"),
    }


def _title(flow: AnyFlow) -> str:
    if isinstance(flow, TcpFlow):
        return flow.rules().title
    return f"UDP {flow.source.upper() if flow.source == 'cbr' else flow.source.capitalize()}"
