"""JupyterLab and Voila for the tests, on a free port; what they keep lies in a folder of the test."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from workbook.paths import REPO
from workbook.studio import servers

STARTS_WITHIN_S = 90


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a server that neither reads nor writes the user's settings."""
    places = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    lab = {f"JUPYTERLAB_{name}_DIR": str(folder / "lab" / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
    quiet = folder / "lab/settings/@jupyterlab/docmanager-extension/plugin.jupyterlab-settings"
    quiet.parent.mkdir(parents=True, exist_ok=True)
    quiet.write_text('{"autosave": false}')  # the notebooks are the repository's own
    xdg = {f"XDG_{name}_HOME": str(folder / "xdg" / name.lower()) for name in ("CONFIG", "DATA")}
    python = {"IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(REPO.root)}
    return servers.environment() | places | lab | xdg | python


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab as `make lab` starts it, but without a browser."""
    port = servers.free_port()
    headless = ["--no-browser", f"--port={port}", "--IdentityProvider.token=", "--ip=127.0.0.1"]
    with _serving(folder, [*servers.lab(), *headless], f"http://127.0.0.1:{port}/api"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def app(folder: Path) -> Iterator[str]:
    """The address of the page as `make app` serves and tells it, with its token."""
    port = servers.free_port()
    command = [sys.executable, "-m", "workbook.studio", "app", str(port)]
    with _serving(folder, command, f"http://127.0.0.1:{port}/voila/static/voila.js"):
        told = re.search(r"at (http://\S+)", (folder / "server.log").read_text())
        assert told is not None
        yield told[1]


@contextmanager
def _serving(folder: Path, command: Sequence[str], sign_of_life: str) -> Iterator[None]:
    """A server that answers at the address `sign_of_life`."""
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=REPO.root, env=surroundings(folder), stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _wait_for(sign_of_life, server, folder / "server.log")
            yield
        finally:
            server.terminate()
            server.wait(30)


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urlopen(address, timeout=STARTS_WITHIN_S):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"no answer at {address}:\n{log.read_text()}")
