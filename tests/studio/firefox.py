"""Debian's Firefox for the tests, told what to do by WebDriver BiDi, which it speaks itself (W3C, webdriver-bidi)."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

PATIENCE_S = 120  # on a busy machine


class Firefox:
    """One tab."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._numbers = socket, count(1)
        self._command("session.new", capabilities={})
        self._tab = self._command("browsingContext.getTree")["contexts"][0]["context"]

    def _command(self, method: str, **params: object) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (said := json.loads(self._socket.recv())).get("id") != number:
            pass
        assert said["type"] == "success", said
        return said["result"]

    def open(self, address: str) -> None:
        """Show a page, and wait until it is loaded."""
        self._command("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def click(self, selector: str) -> None:
        """Click in the middle of an element, brought into view."""
        middle = "(e => (e.scrollIntoView(), e.getBoundingClientRect()))(document.querySelector({}))"
        box = self.evaluate(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({middle.format(json.dumps(selector))})")
        x, y = (round(each) for each in box)
        steps = [
            {"type": "pointerMove", "x": x, "y": y},
            *({"type": f"pointer{do}", "button": 0} for do in ("Down", "Up")),
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": steps})

    def press(self, key: str) -> None:
        """Press a key: a letter, or a code of WebDriver's (section 17.4.2)."""
        self._perform(
            {"type": "key", "id": "keys", "actions": [{"type": f"key{do}", "value": key} for do in ("Down", "Up")]}
        )

    def _perform(self, source: dict[str, Any]) -> None:
        self._command("input.performActions", context=self._tab, actions=[source])

    def evaluate(self, expression: str) -> Any:
        """What an expression comes to in the page, through JSON; a promise is waited for."""
        told = self._command(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then(JSON.stringify)",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A Firefox with settings of its own and no network; skips the test where there is none."""
    websocket = pytest.importorskip("websocket", reason="websocket-client comes with JupyterLab")
    program = shutil.which("firefox-esr")
    if program is None:
        pytest.skip("firefox-esr is not installed")
    profile = folder / "firefox"
    profile.mkdir()
    settings = {"network.proxy.type": 1, "network.proxy.socks": "0.0.0.0"}  # whoever asks for something gets nothing
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items()]
    (profile / "user.js").write_text("".join(lines))
    command = [program, "--headless", "--profile", str(profile), "--remote-debugging-port=0", "--no-remote"]
    log, home = folder / "firefox.log", os.environ | {"HOME": str(folder)}  # root's Firefox wants a home of root's
    with log.open("w") as written, subprocess.Popen(command, stdout=written, stderr=written, env=home) as process:
        try:
            address = _told(process, log)
            socket = websocket.create_connection(f"{address}/session", suppress_origin=True, timeout=PATIENCE_S)
            yield Firefox(socket)
            socket.close()
        finally:
            process.kill()


def _told(process: subprocess.Popen[bytes], log: Path) -> str:
    """The address at which it listens, as it tells when it has begun."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)\s", log.read_text()):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"Firefox did not begin:\n{log.read_text()}")
