"""The page's server: this computer alone, with a token, and with an end to its memory."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.studio.servers import app
from workbook.studio import servers

websocket = pytest.importorskip("websocket", reason="comes with JupyterLab")
pytest.importorskip("voila", reason="comes with the studio's packages")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with app(tmp_path_factory.mktemp("app")) as told:
        yield told


@pytest.fixture(scope="module")
def kernel(address: str) -> str:
    """The kernel of a page that was opened with the token."""
    status, text = answer(address, f"/?{urlsplit(address).query}")
    assert status == 200
    found = re.search(r'"kernelId": *"([0-9a-f-]{36})"', text)
    assert found is not None, text[:2000]
    return found[1]


def answer(address: str, path: str, host: str | None = None) -> tuple[int, str]:
    """The status and the text that a path gets, asked for under a Host of another name if one is given."""
    place = urlsplit(address)
    with closing(HTTPConnection(place.netloc, timeout=120)) as connection:
        connection.request("GET", path, headers={"Host": host or place.netloc})
        answered = connection.getresponse()
        return answered.status, answered.read().decode()


def channels(address: str, kernel: str, token: str, host: str | None = None) -> str:
    """Open a kernel's websocket in the old form of the protocol, and name the answer to what is asked there."""
    place = urlsplit(address)
    origin = f"http://{host or place.netloc}"
    opened = websocket.create_connection(
        f"ws://{place.netloc}/api/kernels/{kernel}/channels?{token}", host=host, origin=origin, timeout=60
    )
    header = {"msg_id": "1", "msg_type": "kernel_info_request", "session": "s", "username": "", "version": "5.3"}
    opened.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": {}, "channel": "shell"}))
    try:
        while (said := json.loads(opened.recv()))["channel"] != "shell":
            pass
        return str(said["header"]["msg_type"])
    finally:
        opened.close()


def test_the_address_has_a_token_and_without_it_no_notebook_is_run(address: str) -> None:
    assert len(urlsplit(address).query) > len("token=") + 30
    for query in ("", "?token=", "?token=guessed"):
        status, text = answer(address, f"/{query}")
        assert status in {302, 403}
        assert "kernelId" not in text


def test_another_host_is_refused_even_with_the_token(address: str) -> None:
    path = f"/?{urlsplit(address).query}"
    assert answer(address, path, host="evil.example")[0] == 403


def test_a_websocket_needs_the_token_and_this_host(address: str, kernel: str) -> None:
    token = urlsplit(address).query
    assert channels(address, kernel, token) == "kernel_info_reply"
    for wrong, host in (("", None), ("token=guessed", None), (token, "evil.example")):
        with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
            channels(address, kernel, wrong, host)


def test_a_kernel_cannot_take_all_memory(kernel: str) -> None:
    """The processes whose command line names the kernel's connection file have the limit."""
    limits = [
        (process / "limits").read_text()
        for process in Path("/proc").glob("[0-9]*")
        if kernel in (process / "cmdline").read_text()
    ]
    assert limits
    for text in limits:
        assert re.search(rf"Max address space +{servers.MOST_MEMORY_BYTES} ", text)
