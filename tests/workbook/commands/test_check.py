"""`workbook check`: against an ns-2 that fails, and against the kernel, skipped where no namespaces can be made."""

import os
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from simcore import EngineUnavailableError, simulate
from tests.simcore.scenes import mapping, scene, tcp_flow, udp_flow
from workbook.commands import check
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


@pytest.mark.system("simcore.kernel.child")
@pytest.mark.usefixtures("_namespaces")
def test_without_timers_linux_modelled_is_linux_event_by_event(tmp_path: Path) -> None:
    status, printed = checked(tmp_path, 200_000)
    assert status == 0, printed
    assert "All events are the same." in printed
    assert "201 of 201 ACKs are answered as by the kernel" in printed


@pytest.mark.system("simcore.kernel.child")
@pytest.mark.usefixtures("_namespaces")
def test_another_tcp_parts_from_it(tmp_path: Path) -> None:
    status, printed = checked(tmp_path, 200_000, profile="ns-2.35")
    assert status == 1, printed
    assert "events are the same; at " in printed
    assert "lockstep" not in printed


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("exec sleep 600", "{path}: ns-2 was stopped: it had not ended after 1 s"),
        ("echo no such class >&2; exit 3", "ns: exit status 3: no such class"),
        ("exit 3", "ns: exit status 3: nothing said"),
    ],
)
def test_an_ns_2_that_hangs_or_fails_is_told_in_a_line(
    program: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fake = tmp_path / "mine.yaml", tmp_path / "ns"
    path.write_text(yaml.safe_dump(mapping(profile="ns-2.35", end_s=0.2)))
    fake.write_text(f"#!/bin/sh\n{program}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(check, "LEAST_PATIENCE_S", 1.0)
    result = CliRunner().invoke(main, ["check", str(path)])
    assert (result.exit_code, result.stderr) == (2, f"Error: {said.format(path=path)}\n")


def test_what_is_not_known_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(mapping()))
    result = CliRunner().invoke(main, ["check", str(tmp_path / "mine.yaml"), "--against", "nothing"])
    assert result.exit_code == 2
    assert "--against: 'nothing' is not known; allowed: ns, kernel" in result.output
