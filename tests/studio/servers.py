"""JupyterLab for the tests, on a free port; what it keeps lies in a folder of the test."""

import socket
import subprocess
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


def free_port() -> int:
    """A port of this computer that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab as `make lab` starts it, but without a browser."""
    port = free_port()
    headless = ["--no-browser", f"--port={port}", "--IdentityProvider.token=", "--ip=127.0.0.1"]
    with _serving(folder, [*servers.lab(), *headless], f"http://127.0.0.1:{port}/api"):
        yield f"http://127.0.0.1:{port}"


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
