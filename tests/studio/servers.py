"""JupyterLab and Voila for the tests: on a free port, without a token; what they keep lies in a folder of the test."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from workbook.paths import REPO

STARTS_WITHIN_S = 60


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a server that neither reads nor writes the user's settings."""
    places = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    lab = {f"JUPYTERLAB_{name}_DIR": str(folder / "lab" / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
    return os.environ | places | lab | {"IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(REPO.root)}


@contextmanager
def serving(folder: Path, *command: str, path: str) -> Iterator[str]:
    """Run a server with `python -m command`; give its address once it answers at `path`."""
    port = free_port()
    address = f"http://127.0.0.1:{port}{path}"
    log = (folder / "server.log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", *(part.format(port=port) for part in command)],
        cwd=REPO.root, env=surroundings(folder), stdout=log, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        wait_for(address, server, folder / "server.log")
        yield address
    finally:
        server.terminate()
        server.wait(20)
        log.close()


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urlopen(address, timeout=STARTS_WITHIN_S):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"no answer at {address}:\n{log.read_text()}")
