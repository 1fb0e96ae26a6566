"""What the kernel can't do of what a scenario may say: told before the run, in one line with the dotted path."""

import sys
from pathlib import Path
from typing import Final

from simcore.kernel.segments import HEADERS_BYTES
from simcore.network.states import segment_bytes
from simcore.results.log import EngineUnavailableError
from simcore.rules.congestion.registry import registered_since
from simcore.scenario.flows import TcpFlow
from simcore.scenario.loading import ScenarioError
from simcore.scenario.scenario import Scenario

RECOVERIES: Final = ("reno", "newreno", "sack")  # without SACK the kernel's recovery is NewReno's (RFC 6582)
CONGESTION: Final = {"standard": "reno", "cubic": "cubic", "bbr": "bbr"}  # our name of a control -> the kernel's
VARIANTS: Final = (*RECOVERIES, "cubic", "bbr")
AVAILABLE: Final = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")
LEAST_PACKET, LARGEST_PACKET = 128, 65_535  # bytes with headers: Linux has a least MSS of 88, TCP_MIN_MSS
MOST_FLOWS: Final = 100  # TCP flows, with two namespaces each


def congestion_of(flow: TcpFlow) -> str:
    """The kernel's name of a flow's congestion control."""
    return CONGESTION[flow.rules().control.name]


def is_modelled(flow: TcpFlow) -> bool:
    """Is the flow's TCP the model's even here? That of a control that somebody has written: no kernel has it."""
    return flow.rules().control.name in registered_since()


def check(scenario: Scenario) -> None:
    """Raise ScenarioError for what the kernel's engine can't run, and EngineUnavailableError on another system."""
    for i, host in enumerate(scenario.hosts):
        if host.when_full != "drop":
            _refuse(f"hosts.{i}.when_full", repr(host.when_full), "allowed: drop")
    tcp = [(f"flows.{i}", flow) for i, flow in enumerate(scenario.flows) if isinstance(flow, TcpFlow)]
    flows = [(where, flow) for where, flow in tcp if not is_modelled(flow)]
    if len(flows) > MOST_FLOWS:
        _refuse("flows", f"{len(flows)} TCP flows", f"must be at most {MOST_FLOWS}")
    for where, flow in flows:
        _check_flow(where, flow, segment_bytes(flow, scenario.profile).data, scenario.profile.header_bytes)


def _check_flow(where: str, flow: TcpFlow, packet_bytes: int, header_bytes: int) -> None:
    rules = flow.rules()
    if rules.recovery.name not in RECOVERIES:
        _refuse(f"{where}.variant", repr(flow.variant), f"allowed: {', '.join(VARIANTS)}")
    if rules.control.name not in CONGESTION:
        field = "variant" if flow.growth is None else "growth"
        allowed = VARIANTS if flow.growth is None else ("standard", "cubic")
        _refuse(f"{where}.{field}", repr(flow.growth or flow.variant), f"allowed: {', '.join(allowed)}")
    if flow.settings is not None:
        field = "variant" if flow.growth is None else "growth"
        _refuse(f"{where}.{field}.{flow.growth or flow.variant}", str(flow.settings), "must be the name alone")
    if header_bytes != HEADERS_BYTES:
        _refuse("header_bytes", str(header_bytes), f"must be {HEADERS_BYTES}, IP's and TCP's")
    if not LEAST_PACKET <= packet_bytes <= LARGEST_PACKET:
        bounds = f"{LEAST_PACKET - header_bytes} to {LARGEST_PACKET - header_bytes}"
        _refuse(f"{where}.packet_bytes", str(flow.packet_bytes), f"must be {bounds}")
    if flow.options:
        _refuse(f"{where}.options", ", ".join(flow.options), "must be left out: see the engine kernel-default")
    if flow.slow_start:
        _refuse(f"{where}.slow_start", repr(flow.slow_start), "must be left out")
    if flow.send_jitter_ms:
        _refuse(f"{where}.send_jitter_ms", str(flow.send_jitter_ms), "must be left out")
    if congestion_of(flow) not in (available := _available()):
        allowed_by = f"allowed after `modprobe tcp_{congestion_of(flow)}`; this kernel has {', '.join(available)}"
        _refuse(f"{where}.variant", repr(flow.variant), allowed_by)


def _available() -> list[str]:
    if not sys.platform.startswith("linux"):
        raise EngineUnavailableError(f"engine: kernel: this is {sys.platform}; must be Linux")
    try:
        return AVAILABLE.read_text().split()
    except OSError as error:
        raise EngineUnavailableError(f"engine: kernel: {AVAILABLE}: {error.strerror}; must be readable") from None


def _refuse(where: str, given: str, allowed: str) -> None:
    raise ScenarioError(f"{where}: {given} is not possible with the kernel; {allowed}")
