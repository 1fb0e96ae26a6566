"""`workbook check --against kernel`: skipped where no namespaces can be made."""

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from simcore import EngineUnavailableError, simulate
from tests.simcore.scenes import mapping, scene, tcp_flow, udp_flow
from workbook.commands.cli import main

NEAREST = {"profile": "linux-nearest", "end_s": 3.0}


@pytest.fixture(scope="module")
def _namespaces() -> None:
    try:
        simulate(scene(tcp_flow(start_s=0), end_s=0.01), "kernel")
    except EngineUnavailableError as forbidden:
        pytest.skip(str(forbidden))


def checked(tmp_path: Path, transfer_bytes: int, **changes: object) -> tuple[int, str]:
    """Exit status and what was printed, for a transfer beside UDP: nothing is written ahead."""
    flows = [tcp_flow(variant="newreno", transfer_bytes=transfer_bytes), udp_flow()]
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(mapping(*flows, **NEAREST | changes)))
    result = CliRunner().invoke(main, ["check", str(path), "--against", "kernel"])
    return result.exit_code, result.output


@pytest.mark.usefixtures("_namespaces")
def test_without_timers_linux_modelled_is_linux_event_by_event(tmp_path: Path) -> None:
    status, printed = checked(tmp_path, 200_000)
    assert status == 0, printed
    assert "All events are the same." in printed
    assert "201 of 201 ACKs are answered as by the kernel" in printed


@pytest.mark.usefixtures("_namespaces")
def test_another_tcp_parts_from_it(tmp_path: Path) -> None:
    status, printed = checked(tmp_path, 200_000, profile="ns-2.35")
    assert status == 1, printed
    assert "events are the same; at " in printed
    assert "lockstep" not in printed


def test_what_is_not_known_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(mapping()))
    result = CliRunner().invoke(main, ["check", str(tmp_path / "mine.yaml"), "--against", "nothing"])
    assert result.exit_code == 2
    assert "--against: 'nothing' is not known; allowed: ns, kernel" in result.output
